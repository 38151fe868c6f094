"""Sampler of points of which two factors are correlated (Traeuble et al. 2021)."""

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
  """Points with two correlated factors: int32 [batch_size, factors].

  Traeuble et al. 2021, "On Disentangled Representations Learned from Correlated Data",
  with both factors scaled to [0, 1]: p(u, v) is proportional to
  exp(-(u - v)^2 / (2 sigma^2)), where u = value / (values - 1). All other factors are
  uniform.

  Args:
    space: a `FactorSpace`; in a partial one the law holds for the pairs of values that
      exist, and the rest is uniform over the points that have the pair.
    batch_size: number of points.
    seed: int32 [2], see `random_streams.stream_seed`.
    first, second: names or positions of the two factors.
    sigma: above 0; the smaller, the closer, and inf is not correlated at all.
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
  # Relative to the largest: with a small sigma all might underflow.
  return np.exp(exponent - exponent.max())
