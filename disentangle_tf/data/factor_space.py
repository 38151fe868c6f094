"""Names and sizes of a data set's ground-truth factors: `FactorSpace`."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

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
