"""`FactorSpace.to_index` as TensorFlow ops."""

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace


def grid_index(space: FactorSpace, factors: np.ndarray | tf.Tensor) -> tf.Tensor:
  """Convert points [points, factors] to their indices, int64 [points].

  Works inside a `tf.function`. A point that does not exist in a `PartialFactorSpace`
  gets the index of the next existing point.
  """
  strides = np.cumprod([1, *space.sizes[:0:-1]])[::-1]
  position = tf.linalg.matvec(
    tf.cast(factors, tf.int64), tf.constant(strides, tf.int64)
  )
  existing = getattr(space, "grid_positions", None)
  if existing is None:
    return position
  index = tf.searchsorted(tf.constant(existing, tf.int64), position, out_type=tf.int64)
  return tf.minimum(index, len(existing) - 1)
