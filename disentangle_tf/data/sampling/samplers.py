"""Draw single points: all factors, fixed factors, correlated factors."""

from collections.abc import Iterable, Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace, PartialFactorSpace, grid_index
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import (
  random_integers,
  random_order,
  random_uniform,
  random_words,
  split_seed,
)


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


def draw_single(space: FactorSpace, batch_size: int, seed: tf.Tensor) -> tf.Tensor:
  """Draw independent uniform points.

  Args:
    space: a `FactorSpace`; only existing points of a partial one are drawn.
    batch_size: number of points.
    seed: int32 [2] tensor; equal seeds give equal points.

  Returns:
    int32 [batch_size, factors].

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> space = data.FactorSpace(("shape", "x"), (3, 32))
    >>> data.draw_single(space, 8, tf.constant([0, 1])).shape
    TensorShape([8, 2])
  """
  if isinstance(space, PartialFactorSpace):
    index = random_integers([batch_size], seed, space.num_points)
    return tf.gather(tf.constant(space.points, tf.int32), index)
  return random_integers([batch_size, len(space)], seed, space.sizes)


def draw_whole_set(space: FactorSpace, batch_size: int, seed: tf.Tensor) -> tf.Tensor:
  """Draw every point of the set once, in random order.

  A batch is then an epoch, which suits sets of a few hundred points.

  Args:
    space: a `FactorSpace`.
    batch_size: must be the number of points.
    seed: int32 [2] tensor.

  Returns:
    int32 [batch_size, factors].

  Raises:
    UserError: `batch_size` is not the number of points.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> space = data.FactorSpace(("shape",), (3,))
    >>> points = data.draw_whole_set(space, 3, tf.constant([0, 1]))
    >>> sorted(points.numpy().ravel().tolist())
    [0, 1, 2]
  """
  if batch_size != space.num_points:
    raise UserError(
      f"draw_whole_set draws all {space.num_points:,} points, the batch size is "
      f"{batch_size:,}: set batch_size to {space.num_points}"
    )
  points = space.to_factors(np.arange(space.num_points))
  return tf.gather(tf.constant(points, tf.int32), random_order([batch_size], seed))


def draw_with_fixed_factor(
  space: FactorSpace,
  batch_size: int,
  seed: tf.Tensor,
  *,
  factor: str | int | None = None,
) -> tf.Tensor:
  """Draw points that share one value of one factor.

  The value is uniform over the existing values, and the points are uniform over those
  that have it.

  Args:
    space: a `FactorSpace`; only existing points of a partial one are drawn.
    batch_size: number of points.
    seed: int32 [2] tensor.
    factor: name or position of the factor; drawn uniformly if None.

  Returns:
    int32 [batch_size, factors].

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> space = data.FactorSpace(("shape", "x"), (3, 32))
    >>> seed = tf.constant([0, 1])
    >>> points = data.draw_with_fixed_factor(space, 8, seed, factor="x")
    >>> bool(tf.reduce_all(points[:, 1] == points[0, 1]))
    True
  """
  if factor is not None:
    return _draw_sharing(space, batch_size, seed, factor_position(space, factor))
  chosen = random_integers([], split_seed(seed, "factor"), len(space))
  batches = [_draw_sharing(space, batch_size, seed, i) for i in range(len(space))]
  return tf.stack(batches)[chosen]


def draw_traversals(
  space: FactorSpace, batch_size: int, seed: tf.Tensor, *, factor: str | int
) -> tf.Tensor:
  """Draw whole traversals of one factor, one after the other.

  Within a traversal `factor` takes all its values in order, and the other factors keep
  random values.

  Args:
    space: a `FactorSpace`, not a partial one.
    batch_size: number of traversals.
    seed: int32 [2] tensor.
    factor: name or position of the factor.

  Returns:
    int32 [batch_size * values of the factor, factors].

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> space = data.FactorSpace(("shape", "x"), (3, 32))
    >>> points = data.draw_traversals(space, 2, tf.constant([0, 1]), factor="shape")
    >>> points[:, 0].numpy()
    array([0, 1, 2, 0, 1, 2], dtype=int32)
  """
  if isinstance(space, PartialFactorSpace):
    raise UserError("whole traversals need a full grid: this set lacks some points")
  position = factor_position(space, factor)
  size = space.sizes[position]
  points = tf.repeat(draw_single(space, batch_size, seed), size, axis=0)
  values = tf.tile(tf.range(size), [batch_size])[:, None]
  return tf.where(tf.range(len(space)) == position, values, points)


def factor_position(space: FactorSpace, factor: str | int) -> int:
  """Return the position of a factor given by its name or its position."""
  if factor in space.names:
    return space.names.index(factor)
  if isinstance(factor, int | np.integer) and 0 <= factor < len(space):
    return int(factor)
  raise UserError(
    f"there is no factor {factor!r}: choose one of {', '.join(space.names)}, "
    f"or a position from 0 to {len(space) - 1}"
  )


def _draw_sharing(
  space: FactorSpace, batch_size: int, seed: tf.Tensor, position: int
) -> tf.Tensor:
  completion = Completion(space, [position])
  value = draw_single(completion.given, 1, split_seed(seed, "value"))
  shape = [batch_size, completion.num_words]
  words = random_words(shape, split_seed(seed, "others"))
  return completion.draw(tf.repeat(value, batch_size, axis=0), words)


def draw_correlated(
  space: FactorSpace,
  batch_size: int,
  seed: tf.Tensor,
  *,
  first: str | int,
  second: str | int,
  sigma: float,
) -> tf.Tensor:
  """Draw points with two correlated factors.

  With both factors scaled to [0, 1], their joint probability p(u, v) is proportional to
  exp(-(u - v)^2 / (2 sigma^2)), where u = value / (number of values - 1). All other
  factors are uniform.

  Args:
    space: a `FactorSpace`. In a partial one the law holds for the existing pairs of
      values, and the point is uniform over those with the pair.
    batch_size: number of points.
    seed: int32 [2] tensor.
    first: name or position of one factor.
    second: name or position of the other factor.
    sigma: above 0. A smaller value means a stronger correlation; infinity means none.

  Returns:
    int32 [batch_size, factors].

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> space = data.FactorSpace(("x", "y", "colour"), (32, 32, 3))
    >>> seed = tf.constant([0, 1])
    >>> points = data.draw_correlated(
    ...   space, 100, seed, first="x", second="y", sigma=0.01
    ... )
    >>> points.shape
    TensorShape([100, 3])
    >>> int(tf.reduce_max(tf.abs(points[:, 0] - points[:, 1]))) <= 2  # they are close
    True

  Reference: Träuble et al. 2021, "On Disentangled Representations Learned from
  Correlated Data".
  """
  positions = [factor_position(space, factor) for factor in (first, second)]
  if positions[0] == positions[1]:
    raise UserError(f"draw_correlated: first and second are both {first!r}")
  if not sigma > 0:
    raise UserError(f"draw_correlated: sigma is {sigma}, must be above 0")
  completion = Completion(space, positions)
  pairs = completion.given.to_factors(np.arange(completion.given.num_points))
  cumulative = np.cumsum(_weights(pairs, completion.given.sizes, sigma))
  chosen = tf.searchsorted(
    tf.constant(cumulative / cumulative[-1], tf.float32),
    random_uniform([batch_size], split_seed(seed, "pairs")),
    side="right",
  )
  values = tf.gather(tf.constant(pairs), chosen)
  shape = [batch_size, completion.num_words]
  return completion.draw(values, random_words(shape, split_seed(seed, "others")))


def _weights(pairs: np.ndarray, sizes: Sequence[int], sigma: float) -> np.ndarray:
  scaled = pairs / np.maximum(np.array(sizes) - 1, 1)
  exponent = -(((scaled[:, 0] - scaled[:, 1]) / sigma) ** 2) / 2
  # Relative to the largest, or all could underflow when sigma is small.
  return np.exp(exponent - exponent.max())
