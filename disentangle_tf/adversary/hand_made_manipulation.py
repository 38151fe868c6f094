"""A manipulation that nothing learned, which shows the mechanism by itself."""

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_positive, check_seed


class HandMadeManipulation:
  """(Q1 cos ks + Q2 sin ks) / sqrt(2), with s the mean of all factors in [-1, 1].

  Q1 and Q2 are pictures of random signs. The change depends on the diagonal of the
  factors' grid alone, so it draws a VAE's latents there if it is large enough.

  Args:
    image_shape: (height, width, channels).
    num_factors: how many factors there are.
    frequency: k.
    seed: of the signs.

  Attributes:
    seed: as given.
  """

  def __init__(self, image_shape, num_factors, *, frequency=4.0, seed=0):
    check_count("HandMadeManipulation", num_factors=num_factors)
    check_positive("HandMadeManipulation", frequency=frequency)
    check_seed("HandMadeManipulation", seed=seed)
    self.seed = seed
    self._frequency = frequency
    rng = np.random.default_rng(seed)
    self._signs = rng.choice(np.float32([-1, 1]), (2, *image_shape))

  def scalar(self, factors):
    """s [batch, 1] of factors [batch, factors], each in [-1, 1]."""
    return tf.reduce_mean(factors, axis=1, keepdims=True)

  def draw(self, scalars):
    """Pictures [batch, height, width, channels] of scalars [batch, 1]."""
    angles = self._frequency * tf.reshape(scalars, [-1, 1, 1, 1])
    cosine, sine = self._signs / np.sqrt(np.float32(2))
    return cosine * tf.cos(angles) + sine * tf.sin(angles)
