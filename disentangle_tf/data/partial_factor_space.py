"""A factor space that lacks some combinations: `PartialFactorSpace`."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError


class PartialFactorSpace(FactorSpace):
  """A `FactorSpace` of which only some combinations exist.

  The index of a point is its place among the existing points, in the order of the grid.
  `draw` and `traversal` return existing points only.

  Args:
    names: a name for each factor.
    sizes: the number of values of each factor.
    points: [points, factors] the combinations that exist, each once, in any order.

  Example:
    >>> from disentangle_tf import data
    >>> points = [[0, 0], [0, 1], [1, 1]]  # [1, 0] does not exist
    >>> space = data.PartialFactorSpace(("shape", "x"), (2, 2), points)
    >>> space.num_points
    3
    >>> space.traversal((0, 0), 0)
    array([[0, 0]], dtype=int32)
  """

  def __init__(
    self,
    names: Sequence[str],
    sizes: Sequence[int],
    points: np.ndarray | Sequence[Sequence[int]],
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
  """Make a `FactorSpace`, or a `PartialFactorSpace` if the points do not cover it.

  Args:
    names: a name for each factor.
    sizes: the number of values of each factor.
    points: [points, factors] in any order; points may repeat.
  """
  grid = FactorSpace(names, sizes)
  existing = np.unique(grid.to_index(points))
  if len(existing) == grid.num_points:
    return grid
  return PartialFactorSpace(names, sizes, grid.to_factors(existing))
