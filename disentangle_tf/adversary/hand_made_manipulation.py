"""A manipulation made by hand, which shows the mechanism without training."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_positive, check_seed


class HandMadeManipulation:
  """The change (Q1 cos ks + Q2 sin ks) / sqrt(2), with s the mean of all factors.

  Each factor is in [-1, 1], and Q1 and Q2 are images of random signs. The change
  depends only on the position along the diagonal of the factors' grid. If it is large
  enough, a VAE aligns a latent with this diagonal.

  Args:
    image_shape: (height, width, channels).
    num_factors: number of factors of the data set.
    frequency: k.
    seed: of the signs.

  Attributes:
    seed: as given.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import adversary
    >>> manipulation = adversary.HandMadeManipulation((8, 8, 1), num_factors=2)
    >>> scalars = manipulation.scalar(np.float32([[-1, 1], [1, 1]]))
    >>> scalars.numpy().ravel().tolist()
    [0.0, 1.0]
    >>> manipulation.draw(scalars).shape
    TensorShape([2, 8, 8, 1])
  """

  def __init__(
    self,
    image_shape: tuple[int, int, int],
    num_factors: int,
    *,
    frequency: float = 4.0,
    seed: int = 0,
  ) -> None:
    check_count("HandMadeManipulation", num_factors=num_factors)
    check_positive("HandMadeManipulation", frequency=frequency)
    check_seed("HandMadeManipulation", seed=seed)
    self.seed = seed
    self._frequency = frequency
    rng = np.random.default_rng(seed)
    self._signs = rng.choice(np.array([-1, 1], np.float32), (2, *image_shape))

  def scalar(self, factors: tf.Tensor) -> tf.Tensor:
    """s [batch, 1] of factors [batch, factors], each in [-1, 1]."""
    return tf.reduce_mean(factors, axis=1, keepdims=True)

  def draw(self, scalars: tf.Tensor) -> tf.Tensor:
    """Changes [batch, height, width, channels] of scalars [batch, 1]."""
    angles = self._frequency * tf.reshape(scalars, [-1, 1, 1, 1])
    cosine, sine = self._signs / np.sqrt(np.float32(2))
    return cosine * tf.cos(angles) + sine * tf.sin(angles)
