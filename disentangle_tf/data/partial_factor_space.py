"""A factor space of which only some combinations exist: a grid with holes."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError


class PartialFactorSpace(FactorSpace):
  """Factors of which only some combinations exist.

  A point's index is its place among the existing points in the grid's order. What is
  drawn or traversed exists.

  Args:
    names, sizes: as for `FactorSpace`.
    points: [points, factors] the combinations that exist, each once, in any order.
  """

  def __init__(
    self, names: Sequence[str], sizes: Sequence[int], points: np.ndarray
  ) -> None:
    super().__init__(names, sizes)
    positions = np.unique(super().to_index(points))
    if len(positions) != len(points):
      raise UserError("some combinations of factors are listed more than once")
    self.grid_positions = positions  # of the existing points, ascending
    self.points = super().to_factors(positions)

  @property
  def num_points(self) -> int:
    return len(self.points)

  def to_index(self, factors: npt.ArrayLike) -> np.ndarray:
    position = super().to_index(factors)
    index = np.searchsorted(self.grid_positions, position)
    found = np.take(self.grid_positions, index, mode="clip") == position
    if not np.all(found):
      raise ValueError("a combination of factors does not exist in this set")
    return index

  def to_factors(self, index: npt.ArrayLike) -> np.ndarray:
    return self.points[np.asarray(index)]

  def traversal(self, factors: npt.ArrayLike, factor: int) -> np.ndarray:
    points = super().traversal(factors, factor)
    return points[np.isin(super().to_index(points), self.grid_positions)]

  def draw(self, num_points: int, rng: np.random.Generator) -> np.ndarray:
    return self.points[rng.integers(len(self.points), size=num_points)]


def covered_space(
  names: Sequence[str], sizes: Sequence[int], points: np.ndarray
) -> FactorSpace:
  """The `FactorSpace` of the given sizes, or the part of it that some points cover.

  Args:
    names, sizes: as for `FactorSpace`.
    points: [points, factors] in any order, any number of times.
  """
  grid = FactorSpace(names, sizes)
  existing = np.unique(grid.to_index(points))
  if len(existing) == grid.num_points:
    return grid
  return PartialFactorSpace(names, sizes, grid.to_factors(existing))
