"""Draw pairs and triplets of points that share some factors."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_choice
from disentangle_tf.data.factor_space import FactorSpace, PartialFactorSpace, grid_index
from disentangle_tf.data.sampling.samplers import draw_single
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_integers, random_words, split_seed

_CANDIDATES = 16


def changeable_factors(space: FactorSpace, *, at_least: int = 1) -> np.ndarray:
  """Whether each factor has more than one value: bool array [factors]."""
  changeable = np.array(space.sizes) > 1
  if changeable.sum() < at_least:
    raise UserError(
      f"{at_least} or more factors must be able to change, but of "
      f"{', '.join(space.names)} only {changeable.sum()} have more than one value"
    )
  return changeable


def random_ranks(num_points: int, allowed: np.ndarray, seed: tf.Tensor) -> tf.Tensor:
  """Draw a random order of the factors for each point: int32 [num_points, factors].

  The factors with ranks below k are a uniform choice of k factors without replacement.
  Factors that are not `allowed`, bool [factors], come last.
  """
  num_factors = len(allowed)
  words = tf.cast(random_words([num_points, num_factors], seed), tf.int64)
  # The position makes equal words differ, so that no rank occurs twice.
  keys = (words + 2**32 * ~allowed) * num_factors + np.arange(num_factors)
  earlier = keys[:, None, :] < keys[:, :, None]
  return tf.reduce_sum(tf.cast(earlier, tf.int32), axis=-1)


def different_values(
  space: FactorSpace, points: tf.Tensor, seed: tf.Tensor
) -> tf.Tensor:
  """Draw another value for every factor; a factor with one value keeps it."""
  sizes = np.array(space.sizes, np.int32)
  steps = 1 + random_integers(points.shape, seed, np.maximum(sizes - 1, 1))
  return tf.math.floormod(points + steps, sizes)


def change_some_factors(
  space: FactorSpace, points: tf.Tensor, seed: tf.Tensor
) -> tf.Tensor:
  """Change k ~ U{1...F} factors, chosen without replacement, to other values.

  F is the number of factors with more than one value.
  """
  changeable = changeable_factors(space)
  num_points, _ = static_shape(points)
  ranks = random_ranks(num_points, changeable, split_seed(seed, "ranks"))
  counts = random_integers([num_points, 1], split_seed(seed, "k"), changeable.sum())
  changed = different_values(space, points, split_seed(seed, "values"))
  return tf.where(ranks < 1 + counts, changed, points)


def existing_partners(
  space: FactorSpace, anchors: tf.Tensor, propose: Callable, seed: tf.Tensor
) -> Any:
  """Draw partners of the anchors with `propose`, which exist in a partial space too.

  In a partial space 16 proposals are drawn for each anchor. The first proposal whose
  points all exist is taken. If there is none, the last partner is another existing
  point, drawn uniformly, and the other partners are the anchor itself.

  Args:
    space: a `FactorSpace`.
    anchors: int32 [points, factors].
    propose: (space, anchors, seed) -> partners [points, factors] or a tuple of them.
    seed: int32 [2].
  """
  if not isinstance(space, PartialFactorSpace):
    return propose(space, anchors, seed)
  repeated = tf.tile(anchors, [_CANDIDATES, 1])
  proposed = propose(space, repeated, split_seed(seed, "proposals"))
  partners = tf.nest.flatten(proposed)
  others = _other_points(space, anchors, split_seed(seed, "others"))
  fallbacks = [anchors] * (len(partners) - 1) + [others]
  exist = tf.reduce_all([_exist(space, points) for points in partners], axis=0)
  row = _first_row(tf.reshape(exist, [_CANDIDATES, -1]))
  taken = [
    tf.gather(tf.concat([points, fallback], axis=0), row)
    for points, fallback in zip(partners, fallbacks, strict=True)
  ]
  return tf.nest.pack_sequence_as(proposed, taken)


def static_shape(points: tf.Tensor) -> tuple[int, int]:
  """The two sizes of a matrix whose shape is known before the graph runs."""
  return cast("tuple[int, int]", tuple(points.shape))


def _first_row(exist: tf.Tensor) -> tf.Tensor:
  """Row of each point's first existing try among the flattened [tries, points].

  Points without one get a row after all tries.
  """
  tries, num_points = static_shape(exist)
  first = tf.reduce_min(tf.where(exist, tf.range(tries)[:, None], tries), axis=0)
  return first * num_points + tf.range(num_points)


def _exist(space: PartialFactorSpace, points: tf.Tensor) -> tf.Tensor:
  existing = tf.gather(tf.constant(space.points, tf.int32), grid_index(space, points))
  return tf.reduce_all(existing == points, axis=-1)


def _other_points(
  space: PartialFactorSpace, points: tf.Tensor, seed: tf.Tensor
) -> tf.Tensor:
  """Draw existing points uniformly, but not the given ones."""
  if space.num_points < 2:
    raise UserError("there is only one point: nothing can change")
  steps = 1 + random_integers(points.shape[:1], seed, space.num_points - 1)
  index = grid_index(space, points) + tf.cast(steps, tf.int64)
  return tf.gather(
    tf.constant(space.points, tf.int32), tf.math.floormod(index, space.num_points)
  )


def draw_pairs(
  space: FactorSpace, batch_size: int, seed: tf.Tensor, *, like: str = "paper"
) -> tuple[tf.Tensor, tf.Tensor]:
  """Draw pairs of points that differ in some factors, for Ada-GVAE.

  With "paper", k ~ U{1...F} factors take another value. They are chosen without
  replacement among the F factors with more than one value. With "dlib", k ~ U{1...F-1}
  is drawn first; then either 1 or k factors, with equal probability, are drawn again.
  They may keep their value, so 7.7 % of the pairs on XYSquares are two equal points.

  Args:
    space: a `FactorSpace`. In a partial one, partners are drawn up to 16 times until
      they exist.
    batch_size: number of pairs.
    seed: int32 [2] tensor.
    like: "paper" (Michlo et al. 2023, appendix B.3) or "dlib" (`simple_dynamics` of
      disentanglement_lib with k = -1).

  Returns:
    Two int32 [batch_size, factors].

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> space = data.XYSquares().factors
    >>> first, second = data.draw_pairs(space, 4, tf.constant([0, 1]))
    >>> first.shape
    TensorShape([4, 6])
    >>> bool(tf.reduce_all(tf.reduce_any(first != second, axis=1)))
    True
  """
  rules = {"paper": change_some_factors, "dlib": _redraw_as_dlib}
  check_choice("draw_pairs", rules, like=like)
  anchors = draw_single(space, batch_size, split_seed(seed, "anchors"))
  partner_seed = split_seed(seed, "partners")
  return anchors, existing_partners(space, anchors, rules[like], partner_seed)


def draw_triplets(
  space: FactorSpace, batch_size: int, seed: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
  """Draw triplets: an anchor, a nearer positive and a farther negative.

  The negative differs from the anchor in k_n ~ U{2...F} factors, chosen without
  replacement among the F factors with more than one value. The positive differs in
  k_p ~ U{1...k_n-1} of these factors. The two get their values independently.

  Args:
    space: a `FactorSpace` with two or more factors that have several values. In a
      partial one, triplets are drawn up to 16 times until they exist.
    batch_size: number of triplets.
    seed: int32 [2] tensor.

  Returns:
    (anchors, positives, negatives), three int32 [batch_size, factors].

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> space = data.XYSquares().factors
    >>> seed = tf.constant([0, 1])
    >>> anchors, positives, negatives = data.draw_triplets(space, 4, seed)
    >>> nearer = tf.math.count_nonzero(anchors != positives, axis=1)
    >>> farther = tf.math.count_nonzero(anchors != negatives, axis=1)
    >>> bool(tf.reduce_all(nearer < farther))
    True
  """
  anchors = draw_single(space, batch_size, split_seed(seed, "anchors"))
  partner_seed = split_seed(seed, "partners")
  partners = existing_partners(space, anchors, _nearer_and_farther, partner_seed)
  positives, negatives = partners
  return anchors, positives, negatives


def changed_factors(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
  """Return which factors differ between the points of a pair, a label for `Batches`.

  Args:
    first: [batch, factors] integers.
    second: [batch, factors] integers.

  Returns:
    bool [batch, factors].

  Example:
    >>> from disentangle_tf import data
    >>> data.changed_factors([[0, 3]], [[0, 5]]).numpy()
    array([[False,  True]])
  """
  return tf.not_equal(first, second)


def _redraw_as_dlib(
  space: FactorSpace, points: tf.Tensor, seed: tf.Tensor
) -> tf.Tensor:
  num_points, num_factors = static_shape(points)
  most = random_integers([num_points], split_seed(seed, "k"), max(num_factors - 1, 1))
  several = random_integers([num_points], split_seed(seed, "1 or k"), 2)
  count = 1 + several * most
  allowed = np.ones(num_factors, bool)
  ranks = random_ranks(num_points, allowed, split_seed(seed, "ranks"))
  values = random_integers(points.shape, split_seed(seed, "values"), space.sizes)
  return tf.where(ranks < count[:, None], values, points)


def _nearer_and_farther(
  space: FactorSpace, points: tf.Tensor, seed: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor]:
  changeable = changeable_factors(space, at_least=2)
  num_points, _ = static_shape(points)
  shape = [num_points, 1]
  ranks = random_ranks(num_points, changeable, split_seed(seed, "ranks"))
  most = changeable.sum() - 1
  farther = 2 + random_integers(shape, split_seed(seed, "farther"), most)
  nearer = 1 + random_integers(shape, split_seed(seed, "nearer"), farther - 1)
  positive = different_values(space, points, split_seed(seed, "positive"))
  negative = different_values(space, points, split_seed(seed, "negative"))
  return (
    tf.where(ranks < nearer, positive, points),
    tf.where(ranks < farther, negative, points),
  )
