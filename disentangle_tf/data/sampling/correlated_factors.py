"""Sampler of points with two correlated factors (Träuble et al. 2021)."""

from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.sampling.completion import Completion
from disentangle_tf.data.sampling.samplers import factor_position
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_uniform, random_words, split_seed


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
