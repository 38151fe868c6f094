"""What a batch consists of: stateless draws of factors, on the device."""

import tensorflow as tf


def draw_single(space, batch_size, seed):
  """Independent uniform points of the factor grid: int32 [batch_size, factors].

  Args:
    space: a `FactorSpace`.
    batch_size: number of points.
    seed: int32 [2], see `random_streams.stream_seed`.
  """
  shape = [batch_size, len(space)]
  # Whole 32-bit words modulo the size: stateless integers cannot have one upper
  # bound a column, and floats times the size would round up to it now and then.
  words = tf.random.stateless_uniform(
    shape, seed, minval=None, maxval=None, dtype=tf.uint32
  )
  factors = tf.cast(words, tf.int64) % tf.constant(space.sizes, tf.int64)
  return tf.cast(factors, tf.int32)
