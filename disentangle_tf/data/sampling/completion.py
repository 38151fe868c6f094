"""Draws the remaining factors of points of which some factors are given."""

from collections.abc import Iterable

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.data.partial_factor_space import PartialFactorSpace


class Completion:
  """Draws the other factors uniformly over the points that have the given values.

  Args:
    space: a `FactorSpace`; only existing points of a partial one are drawn.
    positions: positions of the given factors, each once, in any order.

  Attributes:
    given: the space of the given factors; partial if not all combinations exist.
    num_words: random words that `draw` needs per point.
  """

  def __init__(self, space: FactorSpace, positions: Iterable[int]) -> None:
    self._space = space
    self._positions = list(positions)
    names = [space.names[position] for position in self._positions]
    sizes = [space.sizes[position] for position in self._positions]
    self.given = FactorSpace(names, sizes)
    if isinstance(space, PartialFactorSpace):
      self.num_words = 1
      self._group_points(space.points)
    else:
      self.num_words = len(space) - len(names)

  def draw(self, values: np.ndarray | tf.Tensor, words: tf.Tensor) -> tf.Tensor:
    """Complete the given factors to points, int32 [points, factors].

    Args:
      values: integers [points, given factors], combinations that exist.
      words: uint32 [points, num_words], random words that determine the draw.
    """
    words = tf.cast(words, tf.int64)
    if isinstance(self._space, PartialFactorSpace):
      return self._draw_existing(values, words[:, 0])
    others = np.setdiff1d(np.arange(len(self._space)), self._positions)
    drawn = tf.math.floormod(words, np.take(self._space.sizes, others).astype(np.int64))
    columns = tf.concat([tf.cast(values, tf.int64), drawn], axis=1)
    places = np.argsort([*self._positions, *others])
    return tf.cast(tf.gather(columns, places, axis=1), tf.int32)

  def _group_points(self, points: np.ndarray) -> None:
    """Sort the existing points by their given factors."""
    values = points[:, self._positions]
    existing = np.unique(values, axis=0)
    if len(existing) < self.given.num_points:
      self.given = PartialFactorSpace(self.given.names, self.given.sizes, existing)
    group = self.given.to_index(values)
    self._points = points[np.argsort(group, kind="stable")]
    self._counts = np.bincount(group)
    self._starts = np.cumsum(self._counts) - self._counts

  def _draw_existing(
    self, values: np.ndarray | tf.Tensor, words: tf.Tensor
  ) -> tf.Tensor:
    group = grid_index(self.given, values)
    member = tf.math.floormod(
      words, tf.gather(tf.constant(self._counts, tf.int64), group)
    )
    row = tf.gather(tf.constant(self._starts, tf.int64), group) + member
    return tf.gather(tf.constant(self._points, tf.int32), row)
