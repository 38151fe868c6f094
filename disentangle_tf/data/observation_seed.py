"""The default seed of an observation, derived from the factors."""

import numpy as np
import tensorflow as tf

from disentangle_tf.random_streams import stream_seed


def observation_seed(factors: np.ndarray | tf.Tensor) -> tf.Tensor:
  """Derive a seed from the factors [points, factors].

  The same points in the same order give the same images; other points give other noise.
  """
  factors = tf.cast(factors, tf.int64)
  places = tf.range(1, tf.size(factors, tf.int64) + 1)
  weighted = (tf.reshape(factors, [-1]) + 1) * places * places
  return stream_seed(
    0, "observe", tf.math.floormod(tf.reduce_sum(weighted), 0x7FFFFFFF)
  )
