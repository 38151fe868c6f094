"""The protocol that every model follows when it is scored: `AskableModel`."""

import typing

import numpy as np


@typing.runtime_checkable
class AskableModel(typing.Protocol):
  """A trained model that takes and returns NumPy arrays.

  `export.ExportedModel` (an export of this project), an opened
  `foreign.foreign_model.ForeignModel` (a foreign model in its sandbox) and
  `models.live_model.LiveModel` (a Keras model in memory) follow it. Images are float32
  in [0, 1].

  Attributes:
    observation_shape: (height, width, channels) of an image; (dimensions,) of a point.
    num_latents: number of latents in a code.
    has_log_variances: whether `encode` returns log-variances.
    can_decode: whether `decode` may be called.
    can_decode_unclipped: whether `decode_unclipped` returns the decoder's raw output.
    can_reconstruct: whether `reconstruct` may be called. Some models can reconstruct
      images but cannot decode codes.
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
    """Encode images [N, H, W, C] as (means, log-variances or None), each [N, latents].

    A deterministic encoder has no log-variances. Its export returns very small ones
    instead, see `latent_use.is_deterministic`.
    """
    ...

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Decode codes [N, latents] to images [N, H, W, C]."""
    ...

  def decode_unclipped(self, codes: np.ndarray) -> np.ndarray:
    """Decode codes [N, latents] to pixel means that are not clipped to [0, 1].

    The means have the units of images: the activation of the loss is applied. A model
    without `can_decode_unclipped` may clip its images itself.
    """
    ...

  def reconstruct(self, images: np.ndarray) -> np.ndarray:
    """Reconstruct images [N, H, W, C] from the means of their codes."""
    ...
