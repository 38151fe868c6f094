"""The Protocol of a model that can be asked for codes and images: `AskableModel`."""

import typing

import numpy as np


@typing.runtime_checkable
class AskableModel(typing.Protocol):
  """A trained model, whoever made it, asked with NumPy arrays.

  Satisfied by `export.ExportedModel` (an export of this project), by an opened
  `foreign.foreign_model.ForeignModel` (a stranger's model in its child) and by
  `models.live_model.LiveModel` (a Keras model in memory). Images are float32 in [0, 1].

  Attributes:
    observation_shape: (height, width, channels) of an image; (numbers,) of a point.
    num_latents: how many numbers a code has.
    has_log_variances: whether `encode` gives them.
    can_decode: whether `decode` may be asked.
    can_decode_unclipped: whether `decode_unclipped` gives what the decoder computes.
    can_reconstruct: whether `reconstruct` may be asked; some models show images only
      for images, and not for codes.
  """

  @property
  def observation_shape(self) -> tuple[int, ...]: ...

  @property
  def num_latents(self) -> int: ...

  @property
  def has_log_variances(self) -> bool: ...

  @property
  def can_decode(self) -> bool: ...

  @property
  def can_decode_unclipped(self) -> bool: ...

  @property
  def can_reconstruct(self) -> bool: ...

  def encode(self, images: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """(means, log-variances or None) of images [N, H, W, C], each [N, latents].

    Of a deterministic encoder there are none; its export gives the least that float32
    holds, see `latent_use.is_deterministic`.
    """
    ...

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Images [N, H, W, C] of codes [N, latents]."""
    ...

  def decode_unclipped(self, codes: np.ndarray) -> np.ndarray:
    """Means of the pixels of codes [N, latents], before they are clipped to [0, 1].

    They are in the units of images, after the activation that the loss applies. A
    model without `can_decode_unclipped` may have clipped its images itself.
    """
    ...

  def reconstruct(self, images: np.ndarray) -> np.ndarray:
    """Images [N, H, W, C] as the model gives them back, of the means of their codes."""
    ...
