"""A Keras model in memory, asked with NumPy arrays: an `AskableModel`."""

import numpy as np
import tensorflow_probability as tfp

_LEAST_VARIANCE = float(np.finfo(np.float32).tiny)  # as in exports


class LiveModel:
  """A `RepresentationModel`, in training or trained, as an `AskableModel`.

  It is asked as it is now: after a training step it gives other codes.

  Args:
    model: the `RepresentationModel`.

  Example:
    means, log_variances = LiveModel(model).encode(images)
  """

  def __init__(self, model):
    self._model = model

  @property
  def observation_shape(self):
    """(height, width, channels) of the images it takes."""
    return tuple(self._model.encoder.input_shape[1:])

  @property
  def num_latents(self):
    """How many numbers a code has."""
    return self._model.latents

  @property
  def has_log_variances(self):
    """Whether its posteriors have a variance."""
    blank = np.zeros((1, *self.observation_shape), np.float32)
    return self.encode(blank)[1] is not None

  @property
  def can_decode(self):
    """Whether it has a decoder."""
    return self._model.decoder is not None

  @property
  def can_reconstruct(self):
    """Whether it has a decoder."""
    return self.can_decode

  def encode(self, images):
    """(means, log-variances or None) of images [N, H, W, C], each [N, latents]."""
    posterior = self._model.encode(images)
    means = posterior.mean().numpy()
    if isinstance(posterior, tfp.distributions.Deterministic):
      return means, None
    return means, np.log(np.maximum(posterior.variance().numpy(), _LEAST_VARIANCE))

  def decode(self, codes):
    """Images in [0, 1] of codes [N, latents]."""
    return self._model.decode_images(np.asarray(codes, np.float32)).numpy()

  @property
  def can_decode_unclipped(self):
    """Whether it has a decoder."""
    return self.can_decode

  def decode_unclipped(self, codes):
    """Means of the pixels of codes [N, latents], not clipped to [0, 1]."""
    return self._model.decode_unclipped(np.asarray(codes, np.float32)).numpy()

  def reconstruct(self, images):
    """Images in [0, 1] decoded from the codes' means."""
    return self._model.reconstruct(images).numpy()
