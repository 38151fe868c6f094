"""Traversals of factors through existing points, and which factors have one."""

from typing import cast

import numpy as np

from disentangle_tf.data import FactorSpace, GroundTruthData, PartialFactorSpace
from disentangle_tf.errors import UserError


class ExistingTraversals:
  """Points at which a factor can vary alone, and the values it can take there.

  Args:
    space: a `FactorSpace`. Of a `PartialFactorSpace` only existing points are drawn.
    factor: position of the factor.
  """

  def __init__(self, space: FactorSpace, factor: int) -> None:
    self._space, self._factor = space, factor
    self._everywhere = space.is_whole or space.sizes[factor] == 1
    if not self._everywhere:
      self._group_points(cast(PartialFactorSpace, space))

  def draw_starts(self, num_points: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform points `[num_points, factors]` on traversals of two or more points.

    A factor with a single value has no such traversal: any points are drawn.
    """
    if self._everywhere:
      return self._space.draw(num_points, rng)
    return self._points[rng.choice(self._varied, num_points)]

  def draw_others(self, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Another random point of the traversal of each point.

    For a factor with a single value, the points themselves.
    """
    size = self._space.sizes[self._factor]
    if self._everywhere:
      others = points.copy()
      if size > 1:
        steps = rng.integers(1, size, size=len(points))
        others[:, self._factor] = (points[:, self._factor] + steps) % size
      return others
    index = self._space.to_index(points)
    counts, starts = (each[self._group[index]] for each in (self._counts, self._starts))
    place = (self._place[index] + rng.integers(1, counts)) % counts
    return self._points[self._order[starts + place]]

  def walk(self, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All existing points of the traversal through a point, and their values."""
    points = self._space.traversal(point, self._factor)
    return points, points[:, self._factor]

  def _group_points(self, space: PartialFactorSpace) -> None:
    """Sort the existing points by their traversal, then by the factor's value."""
    factor, self._points = self._factor, space.points
    strides = np.cumprod([1, *space.sizes[:0:-1]])[::-1]
    without = space.grid_positions - space.points[:, factor] * strides[factor]
    _, self._group = np.unique(without, return_inverse=True)
    self._order = np.argsort(self._group, kind="stable")
    self._counts = np.bincount(self._group)
    self._starts = np.cumsum(self._counts) - self._counts
    self._place = np.empty(len(self._order), np.int64)
    self._place[self._order] = (
      np.arange(len(self._order)) - self._starts[self._group[self._order]]
    )
    self._varied = np.flatnonzero(self._counts[self._group] > 1)
    if not len(self._varied):
      raise UserError(
        f"no two images differ in {space.names[factor]} alone, so there is no distance "
        "along it: leave it out with data.FactorSubset, or round continuous factors"
      )


def draw_traversals(space: FactorSpace, rng: np.random.Generator) -> list[np.ndarray]:
  """A random traversal of every factor: a list of points `[values, factors]`.

  All go through one point. If combinations are missing, each factor has its own point,
  and values that do not exist there are left out.

  Args:
    space: a `FactorSpace`.
    rng: a `numpy.random.Generator`.
  """
  point = space.draw(1, rng)[0]
  found = []
  for factor in range(len(space)):
    traversals = ExistingTraversals(space, factor)
    start = point if space.is_whole else traversals.draw_starts(1, rng)[0]
    found.append(traversals.walk(start)[0])
  return found


def check_traversable(data: GroundTruthData) -> None:
  """Raise a `UserError` unless each factor is known and varies alone somewhere.

  Args:
    data: a `GroundTruthData`.

  Raises:
    UserError: if the set has no ground-truth factors, or no two images differ in one of
      the factors alone.

  Example:
    >>> from disentangle_tf import data, perceived
    >>> perceived.check_traversable(data.XYSquares(num_squares=1, image_size=24))
  """
  if not data.has_factors:
    raise UserError(f"{data.name} has no ground-truth factors")
  for factor in range(len(data.factors)):
    ExistingTraversals(data.factors, factor)  # raises without one
