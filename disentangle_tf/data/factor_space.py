"""Names and sizes of a data set's ground-truth factors: the grid of its points."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from disentangle_tf.errors import UserError

_MOST_COMBINATIONS = 2**62  # that an index can tell apart


class FactorSpace:
  """Names and sizes of the factors, and the ways to walk their grid.

  Points are integer arrays [..., factors]; a point's index counts with the last
  factor fastest. NumPy only, so that metrics can use it without TensorFlow. Where some
  combinations do not exist, see `PartialFactorSpace`.

  Args:
    names: a name for each factor.
    sizes: the number of values of each factor.

  Example:
    space = FactorSpace(("shape", "x"), (3, 32))
    space.to_factors(33)          # array([1, 1])
    space.traversal((1, 1), 0)    # shape varies, x stays: [3, 2]
  """

  def __init__(self, names: Sequence[str], sizes: Sequence[int]) -> None:
    if len(names) != len(sizes) or not names:
      raise ValueError(f"{len(names)} factor names for {len(sizes)} sizes")
    if min(sizes) < 1:
      raise ValueError(f"every factor needs at least one value, got sizes {sizes}")
    if math.prod(map(int, sizes)) > _MOST_COMBINATIONS:
      raise UserError(
        f"factors of {', '.join(map(str, sizes))} values make too many combinations: "
        "round those that are continuous"
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
    """Indices [...] of the points `factors` [..., factors]."""
    columns = np.moveaxis(np.asarray(factors), -1, 0)
    return np.asarray(np.ravel_multi_index(tuple(columns), self.sizes))

  def to_factors(self, index: npt.ArrayLike) -> np.ndarray:
    """Points [..., factors] of the indices `index` [...]."""
    return np.stack(np.unravel_index(np.asarray(index), self.sizes), axis=-1).astype(
      np.int32
    )

  def traversal(self, factors: npt.ArrayLike, factor: int) -> np.ndarray:
    """All values of one `factor` (its position) through the point `factors`."""
    points = np.repeat(np.asarray(factors, np.int32)[None], self.sizes[factor], axis=0)
    points[:, factor] = np.arange(self.sizes[factor])
    return points

  def draw(self, num_points: int, rng: np.random.Generator) -> np.ndarray:
    """Uniform points [num_points, factors] from a `numpy.random.Generator`."""
    return rng.integers(self.sizes, size=(num_points, len(self)), dtype=np.int32)
