"""Samplers of single points, whole sets, fixed factors and traversals.

Every sampler takes a space, the size of the batch and an int32 [2] seed, and draws on
the device with the words of `random_streams` alone, so that XLA changes nothing. Pairs
and triplets are in `pair_samplers` and `temporal_samplers`.
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
  """Independent uniform points of the factor grid: int32 [batch_size, factors].

  Args:
    space: a `FactorSpace`; of a partial one, only points that exist are drawn.
    batch_size: number of points.
    seed: int32 [2], see `random_streams.stream_seed`.
  """
  if isinstance(space, PartialFactorSpace):
    index = random_integers([batch_size], seed, space.num_points)
    return tf.gather(tf.constant(space.points, tf.int32), index)
  return random_integers([batch_size, len(space)], seed, space.sizes)


def draw_whole_set(space: FactorSpace, batch_size: int, seed: tf.Tensor) -> tf.Tensor:
  """Every point of the set once, in random order: int32 [batch_size, factors].

  A batch is then an epoch, as for sets of a few hundred points.

  Args:
    space, seed: as for `draw_single`.
    batch_size: must be the number of points.
  """
  if batch_size != space.num_points:
    raise UserError(
      f"draw_whole_set draws all {space.num_points:,} points, the batch size is "
      f"{batch_size:,}: set training.train.batch_size = {space.num_points}"
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
  """Points that share one value of one factor: int32 [batch_size, factors].

  The value is uniform over those that exist, the points over those that have it.

  Args:
    space, batch_size, seed: as for `draw_single`.
    factor: name or position of the factor; drawn uniformly if None.
  """
  if factor is not None:
    return _draw_sharing(space, batch_size, seed, factor_position(space, factor))
  chosen = random_integers([], split_seed(seed, "factor"), len(space))
  batches = [_draw_sharing(space, batch_size, seed, i) for i in range(len(space))]
  return tf.stack(batches)[chosen]


def draw_traversals(
  space: FactorSpace, batch_size: int, seed: tf.Tensor, *, factor: str | int
) -> tf.Tensor:
  """Whole traversals one after another: int32 [batch_size * values, factors].

  Within a traversal `factor` takes all its values in order and the others stay; where
  the traversals run is uniform.

  Args:
    space: a `FactorSpace`, not a partial one.
    batch_size: number of traversals.
    seed: int32 [2], see `random_streams.stream_seed`.
    factor: name or position of the factor.
  """
  if isinstance(space, PartialFactorSpace):
    raise UserError("whole traversals need a full grid: in this set points are missing")
  position = factor_position(space, factor)
  size = space.sizes[position]
  points = tf.repeat(draw_single(space, batch_size, seed), size, axis=0)
  values = tf.tile(tf.range(size), [batch_size])[:, None]
  return tf.where(tf.range(len(space)) == position, values, points)


def factor_position(space: FactorSpace, factor: str | int) -> int:
  """The position of a factor that is given by its name or position."""
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
