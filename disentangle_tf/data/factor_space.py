"""Spaces of ground-truth factors: whole grids, grids with holes, and their indices."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from disentangle_tf.errors import UserError

_MOST_COMBINATIONS = 2**62  # that fit an int64 index


class FactorSpace:
  """Names and sizes of the factors, whose combinations form a grid of points.

  Points are integer arrays [..., factors]. The index of a point counts with the last
  factor fastest. `PartialFactorSpace` is for sets that lack some combinations.

  Args:
    names: a name for each factor.
    sizes: the number of values of each factor.

  Example:
    >>> from disentangle_tf import data
    >>> space = data.FactorSpace(("shape", "x"), (3, 32))
    >>> space.num_points
    96
    >>> space.to_factors(33)
    array([1, 1], dtype=int32)
    >>> space.traversal((1, 1), 0)
    array([[0, 1],
           [1, 1],
           [2, 1]], dtype=int32)
  """

  def __init__(self, names: Sequence[str], sizes: Sequence[int]) -> None:
    if len(names) != len(sizes) or not names:
      raise ValueError(f"{len(names)} factor names for {len(sizes)} sizes")
    if min(sizes) < 1:
      raise ValueError(f"every factor needs at least one value, got sizes {sizes}")
    if math.prod(map(int, sizes)) > _MOST_COMBINATIONS:
      raise UserError(
        f"factors of {', '.join(map(str, sizes))} values have too many combinations: "
        "round continuous factors"
      )
    self.names = tuple(names)
    self.sizes = tuple(int(size) for size in sizes)

  def __len__(self) -> int:
    """The number of factors."""
    return len(self.sizes)

  @property
  def num_points(self) -> int:
    """The number of points in the grid."""
    return math.prod(self.sizes)

  @property
  def is_whole(self) -> bool:
    """Whether every combination of values exists."""
    return self.num_points == math.prod(self.sizes)

  def to_index(self, factors: npt.ArrayLike) -> np.ndarray:
    """Convert points [..., factors] to their indices [...]."""
    columns = np.moveaxis(np.asarray(factors), -1, 0)
    return np.asarray(np.ravel_multi_index(tuple(columns), self.sizes))

  def to_factors(self, index: npt.ArrayLike) -> np.ndarray:
    """Convert indices [...] to points [..., factors]."""
    return np.stack(np.unravel_index(np.asarray(index), self.sizes), axis=-1).astype(
      np.int32
    )

  def traversal(self, factors: npt.ArrayLike, factor: int) -> np.ndarray:
    """Vary one factor, given by its position, through a point: [values, factors]."""
    points = np.repeat(np.asarray(factors, np.int32)[None], self.sizes[factor], axis=0)
    points[:, factor] = np.arange(self.sizes[factor])
    return points

  def draw(self, num_points: int, rng: np.random.Generator) -> np.ndarray:
    """Draw uniform points [num_points, factors]."""
    return rng.integers(self.sizes, size=(num_points, len(self)), dtype=np.int32)


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
