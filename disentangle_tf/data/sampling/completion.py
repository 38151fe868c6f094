"""Drawing the remaining factors of points of which some factors are given."""

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.data.partial_factor_space import PartialFactorSpace


class Completion:
  """Draws the other factors, uniformly over the points that have the given values.

  Args:
    space: a `FactorSpace`; of a partial one, only points that exist are drawn.
    positions: positions of the given factors, each once, in any order.

  Attributes:
    given: the space of the given factors; partial if not all combinations exist.
    num_words: random words per point.
  """

  def __init__(self, space, positions):
    self._space = space
    self._positions = list(positions)
    self._partial = isinstance(space, PartialFactorSpace)
    names, sizes = (
      [values[position] for position in self._positions]
      for values in (space.names, space.sizes)
    )
    self.given = FactorSpace(names, sizes)
    if self._partial:
      self.num_words = 1
      self._group_points(names, sizes)
    else:
      self.num_words = len(space) - len(names)

  def draw(self, values, words):
    """Whole points, int32 [points, factors].

    Args:
      values: integers [points, given factors], combinations that exist.
      words: uint32 [points, num_words], all that the draw depends on.
    """
    words = tf.cast(words, tf.int64)
    if self._partial:
      return self._draw_existing(values, words[:, 0])
    others = np.setdiff1d(np.arange(len(self._space)), self._positions)
    drawn = words % tf.constant(np.take(self._space.sizes, others), tf.int64)
    columns = tf.concat([tf.cast(values, tf.int64), drawn], axis=1)
    places = np.argsort([*self._positions, *others])
    return tf.cast(tf.gather(columns, places, axis=1), tf.int32)

  def _group_points(self, names, sizes):
    """Sorts the existing points by their given factors."""
    values = self._space.points[:, self._positions]
    existing = np.unique(values, axis=0)
    if len(existing) < self.given.num_points:
      self.given = PartialFactorSpace(names, sizes, existing)
    group = self.given.to_index(values)
    self._points = self._space.points[np.argsort(group, kind="stable")]
    self._counts = np.bincount(group)
    self._starts = np.cumsum(self._counts) - self._counts

  def _draw_existing(self, values, words):
    group = grid_index(self.given, values)
    member = words % tf.gather(tf.constant(self._counts, tf.int64), group)
    row = tf.gather(tf.constant(self._starts, tf.int64), group) + member
    return tf.gather(tf.constant(self._points, tf.int32), row)
