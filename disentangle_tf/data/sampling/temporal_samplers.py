"""Sampler of pairs of successive points in time, for SlowVAE and PCL."""

import functools
import math
from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_choice, check_truth, check_weight
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.sampling.pair_samplers import (
  change_some_factors,
  changeable_factors,
  existing_partners,
  static_shape,
)
from disentangle_tf.data.sampling.samplers import draw_single, factor_position
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_integers, random_uniform, split_seed


def draw_temporal_pairs(
  space: FactorSpace,
  batch_size: int,
  seed: tf.Tensor,
  *,
  transition: str = "uniform",
  rate: float = 1.0,
  per_log_size: bool = False,
  categorical: Sequence[str | int] = (),
) -> tuple[tf.Tensor, tf.Tensor]:
  """Draw points and their successors in time, for SlowVAE and PCL.

  With "uniform", k ~ U{1...F} factors take another value, as in `draw_pairs`. With
  "laplace", every factor steps from its value v to v' with probability proportional to
  exp(-rate |v' - v|). If no factor changes, one of the factors that can move is chosen
  uniformly, and steps by the same law without v' = v.

  Args:
    space: a `FactorSpace`. In a partial one, successors are drawn up to 16 times until
      they exist.
    batch_size: number of pairs.
    seed: int32 [2] tensor.
    transition: "uniform" or "laplace".
    rate: rate of the Laplace steps, 0 or more; a higher rate means shorter steps.
    per_log_size: divide each factor's rate by the logarithm of its number of values, so
      that factors with many values take longer steps, as in the paper's code.
    categorical: names or positions of factors that Laplace steps do not change.

  Returns:
    Two int32 [batch_size, factors].

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import data
    >>> space = data.FactorSpace(("shape", "x"), (3, 32))
    >>> seed = tf.constant([0, 1])
    >>> first, second = data.draw_temporal_pairs(
    ...   space, 8, seed, transition="laplace", categorical=["shape"]
    ... )
    >>> data.changed_factors(first, second).numpy().any(axis=0)
    array([False,  True])

  Reference: Klindt et al. 2021, "Towards Nonlinear Disentanglement in Natural Data with
  Temporal Sparse Coding".
  """
  check_choice("draw_temporal_pairs", ("uniform", "laplace"), transition=transition)
  propose = change_some_factors
  if transition == "laplace":
    check_truth("draw_temporal_pairs", per_log_size=per_log_size)
    movable = _movable_factors(space, rate, categorical)
    rates = [
      rate / math.log(size) if per_log_size and size > 1 else rate
      for size in space.sizes
    ]
    propose = functools.partial(_laplace_step, rates=rates, movable=movable)
  anchors = draw_single(space, batch_size, split_seed(seed, "anchors"))
  partner_seed = split_seed(seed, "partners")
  return anchors, existing_partners(space, anchors, propose, partner_seed)


def _movable_factors(
  space: FactorSpace, rate: float, categorical: Sequence[str | int]
) -> np.ndarray:
  """Find the factors that Laplace steps may change: bool [factors]."""
  check_weight("draw_temporal_pairs", rate=rate)
  if not isinstance(categorical, tuple | list):
    raise UserError(
      f"draw_temporal_pairs.categorical is {categorical!r}: it must list factors"
    )
  movable = changeable_factors(space)
  movable[[factor_position(space, factor) for factor in categorical]] = False
  if not movable.any():
    raise UserError("draw_temporal_pairs: all factors that can move are categorical")
  return movable


def _laplace_step(
  space: FactorSpace,
  points: tf.Tensor,
  seed: tf.Tensor,
  *,
  rates: list[float],
  movable: np.ndarray,
) -> tf.Tensor:
  stepped = _step(
    _cumulative_law(space.sizes, rates), points, split_seed(seed, "steps")
  )
  stepped = tf.where(movable, stepped, points)
  forced = _step(
    _cumulative_law(space.sizes, rates, forced=True), points, split_seed(seed, "forced")
  )
  chosen = tf.gather(
    tf.constant(np.flatnonzero(movable), tf.int32),
    random_integers(
      [static_shape(points)[0], 1], split_seed(seed, "chosen"), movable.sum()
    ),
  )
  unmoved = tf.reduce_all(stepped == points, axis=1, keepdims=True)
  return tf.where(unmoved & (tf.range(len(space)) == chosen), forced, stepped)


def _cumulative_law(
  sizes: Sequence[int], rates: list[float], *, forced: bool = False
) -> np.ndarray:
  """Tabulate P(target <= column | value) of every factor: [factors * values, values].

  All factors have as many rows and columns as the largest one; those beyond a factor's
  own values are 1. With `forced`, the target differs from the value.
  """
  widest = max(sizes)
  cumulative = np.ones([len(sizes), widest, widest])
  for table, size, rate in zip(cumulative, sizes, rates, strict=True):
    distance = np.abs(np.arange(size)[:, None] - np.arange(size))
    # Forced steps are at least 1, so weights relative to 1 cannot all underflow.
    weights = np.exp(-rate * np.maximum(distance - forced, 0))
    if forced and size > 1:
      np.fill_diagonal(weights, 0)
    sums = np.cumsum(weights, axis=1)
    table[:size, :size] = sums / sums[:, -1:]
  return cumulative.reshape(-1, widest)


def _step(cumulative: np.ndarray, points: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
  """Draw targets by inverting the law, with comparisons only: the same under XLA."""
  num_factors, widest = points.shape[1], cumulative.shape[1]
  rows = points + widest * tf.range(num_factors)
  laws = tf.gather(tf.constant(cumulative, tf.float32), rows)
  drawn = random_uniform(points.shape, seed)
  reached = laws <= tf.expand_dims(drawn, -1)
  return tf.reduce_sum(tf.cast(reached, tf.int32), axis=-1)
