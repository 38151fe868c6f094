"""Perceived distances along a factor.

Michlo, Klein & James 2023, section 4.3 and figures 3 and 8.
"""

import numpy as np
import tensorflow as tf

from disentangle_tf.perceived.pairwise_distances import pairwise_distances


def distance_matrix(data, loss, factor, *, num_traversals=64, rng=0):
  """Mean perceived distance between every two values of a factor.

  Args:
    data: a `GroundTruthData` whose factors are a whole grid.
    loss: a `losses.ReconstructionLoss`, applied to plain images in [0, 1].
    factor: position of the factor.
    num_traversals: random traversals to average over.
    rng: seed or `numpy.random.Generator` that draws them.

  Returns:
    [values, values] array: the mean over pixels of the loss, averaged over traversals.
  """
  matrices = traversal_distances(data, loss, factor, num_traversals, rng)
  return np.mean(list(matrices), axis=0)


def true_distances(size):
  """Steps between every two of a factor's values: [size, size]."""
  values = np.arange(size)
  return np.abs(values[:, None] - values)


def traversal_distances(data, loss, factor, num_traversals, rng):
  """Yields the distances [values, values] within each of some random traversals."""
  rng = np.random.default_rng(rng)
  measure = group_distances(data, loss)
  for point in data.factors.draw(num_traversals, rng):
    yield measure(data.factors.traversal(point, factor))


def group_distances(data, loss):
  """A function of points [N, factors] -> distances of their images [N, N]."""

  @tf.function(reduce_retracing=True)
  def measure(points):
    return pairwise_distances(loss, data.observe(points))

  return lambda points: measure(tf.constant(points)).numpy()
