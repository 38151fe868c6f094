"""`LiveModel`: a Keras model in memory as an `AskableModel`."""

from typing import Any

import numpy as np
import tensorflow_probability as tfp

from disentangle_tf.models.representation_model import RepresentationModel

_LEAST_VARIANCE = float(np.finfo(np.float32).tiny)  # as in exports


class LiveModel:
  """A `RepresentationModel` as an `AskableModel`, which takes and returns NumPy arrays.

  It always uses the model's present weights, also during training.

  Args:
    model: the `RepresentationModel`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> from disentangle_tf.models.live_model import LiveModel
    >>> model = models.VAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> means, log_variances = LiveModel(model).encode(images)
    >>> means.shape, log_variances.shape
    ((8, 2), (8, 2))
  """

  def __init__(self, model: RepresentationModel) -> None:
    self._model: Any = model  # only some have a decoder

  @property
  def observation_shape(self) -> tuple[int, ...]:
    """(height, width, channels) of the images it takes."""
    return tuple(self._model.encoder.input_shape[1:])

  @property
  def num_latents(self) -> int:
    """Number of latents."""
    return self._model.latents

  @property
  def has_log_variances(self) -> bool:
    """Whether its posteriors have a variance."""
    blank = np.zeros((1, *self.observation_shape), np.float32)
    return self.encode(blank)[1] is not None

  @property
  def can_decode(self) -> bool:
    """Whether it has a decoder."""
    return self._model.decoder is not None

  @property
  def can_reconstruct(self) -> bool:
    """Whether it has a decoder."""
    return self.can_decode

  def encode(self, images: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """(means, log-variances or None) of images [N, H, W, C], each [N, latents]."""
    posterior = self._model.encode(images)
    means = posterior.mean().numpy()
    if isinstance(posterior, tfp.distributions.Deterministic):
      return means, None
    return means, np.log(np.maximum(posterior.variance().numpy(), _LEAST_VARIANCE))

  def decode(self, codes: np.ndarray) -> np.ndarray:
    """Images in [0, 1] of codes [N, latents]."""
    return self._model.decode_images(np.asarray(codes, np.float32)).numpy()

  @property
  def can_decode_unclipped(self) -> bool:
    """Whether it has a decoder."""
    return self.can_decode

  def decode_unclipped(self, codes: np.ndarray) -> np.ndarray:
    """Means of the pixels of codes [N, latents], not clipped to [0, 1]."""
    return self._model.decode_unclipped(np.asarray(codes, np.float32)).numpy()

  def reconstruct(self, images: np.ndarray) -> np.ndarray:
    """Images in [0, 1] decoded from the codes' means."""
    return self._model.reconstruct(images).numpy()
