"""What a batch consists of: stateless draws of factors, on the device."""

import tensorflow as tf

from disentangle_tf.data.partial_factor_space import PartialFactorSpace
from disentangle_tf.random_streams import random_words


def draw_single(space, batch_size, seed):
  """Independent uniform points of the factor grid: int32 [batch_size, factors].

  Args:
    space: a `FactorSpace`; of a partial one, only points that exist are drawn.
    batch_size: number of points.
    seed: int32 [2], see `random_streams.stream_seed`.
  """
  if isinstance(space, PartialFactorSpace):
    words = tf.cast(random_words([batch_size], seed), tf.int64)
    return tf.gather(tf.constant(space.points, tf.int32), words % space.num_points)
  words = random_words([batch_size, len(space)], seed)
  factors = tf.cast(words, tf.int64) % tf.constant(space.sizes, tf.int64)
  return tf.cast(factors, tf.int32)
