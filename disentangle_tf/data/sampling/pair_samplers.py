"""Samplers of pairs and triplets of points that differ in some factors."""

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_choice
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.sampling.factor_changes import (
  change_some_factors,
  changeable_factors,
  different_values,
  existing_partners,
  random_ranks,
  static_shape,
)
from disentangle_tf.data.sampling.samplers import draw_single
from disentangle_tf.random_streams import random_integers, split_seed


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
