"""Samplers of single points, whole sets, fixed factors and traversals.

Every sampler takes a space, a batch size and an int32 [2] seed. It draws with
`random_streams` only, so XLA gives the same points. Samplers of pairs and triplets are
in `pair_samplers` and `temporal_samplers`.
"""

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.partial_factor_space import PartialFactorSpace
from disentangle_tf.data.sampling.completion import Completion
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import (
  random_integers,
  random_order,
  random_words,
  split_seed,
)


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
