"""Perceived distances along a factor.

Michlo, Klein & James 2023, section 4.3 and figures 3 and 8.
"""

import numpy as np
import tensorflow as tf


def distance_matrix(data, loss, factor, *, num_traversals=64, rng=0):
  """Mean perceived distance between every two values of a factor.

  Args:
    data: a `GroundTruthData`.
    loss: a `losses.ReconstructionLoss`, applied to plain images in [0, 1].
    factor: position of the factor.
    num_traversals: random traversals to average over.
    rng: seed or `numpy.random.Generator` that draws them.

  Returns:
    [values, values] array: the mean over pixels of the loss, averaged over traversals.
  """
  rng = np.random.default_rng(rng)
  distances = tf.function(lambda images: _pairwise_distances(loss, images))
  total = 0.0
  for point in data.factors.draw(num_traversals, rng):
    total += distances(data.observe(data.factors.traversal(point, factor))).numpy()
  return total / num_traversals


def _pairwise_distances(loss, images):
  """[N, H, W, C] -> [N, N], mean over pixels."""
  count, *shape = images.shape
  first = tf.reshape(tf.repeat(images, count, axis=0), [-1, *shape])
  second = tf.reshape(tf.tile(images, [count, 1, 1, 1]), [-1, *shape])
  each = tf.reduce_mean(loss.distance(first, second), axis=[1, 2, 3])
  return tf.reshape(each, [count, count])
