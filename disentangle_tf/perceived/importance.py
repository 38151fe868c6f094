"""Factor importance: how far apart a loss perceives the values of each factor.

Michlo, Klein & James 2023, section 4.2, table A1 and figure A1: the larger the
distances, the sooner a VAE learns the factor.
"""

import math
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_count
from disentangle_tf.data import FactorSpace, GroundTruthData
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.perceived.exact_distances import exact_distances
from disentangle_tf.perceived.traversals import ExistingTraversals
from disentangle_tf.tensor_float_32 import tensor_float_32

_BATCH = 512
_MOST_PRODUCTS = 4e12  # multiplications for exact distances: a few minutes


def factor_importance(
  data: GroundTruthData,
  loss: ReconstructionLoss,
  *,
  num_pairs: int = 50_000,
  exact: bool | None = None,
  rng: int | np.random.Generator = 0,
) -> dict:
  """Mean and standard deviation of perceived distances along each factor.

  They are exact, over every pair that differs in one factor, if the loss is a sum of
  squares (`ReconstructionLoss.squared_maps`) and the set a whole grid of moderate size.
  Otherwise they are estimated from random pairs, with standard errors. The mean over
  random pairs is then exact too, by the identity E d = 2 n / (n - 1) * mean variance of
  the maps; their standard deviation is always estimated.

  Args:
    data: a `GroundTruthData`.
    loss: a `losses.ReconstructionLoss`, applied to plain images in [0, 1].
    num_pairs: random pairs of two different points for each estimate.
    exact: whether to measure every pair; None decides by the cost.
    rng: seed or `numpy.random.Generator` of the pairs.

  Returns:
    `{"factors": {name: {"mean", "std", "exact", "mean_error", "std_error"}}, "random":
    {the same keys}}`. The errors are standard errors, 0 if exact.

  Example:
    >>> from disentangle_tf import data, losses, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)  # 3 x 3 places
    >>> found = perceived.factor_importance(squares, losses.MSE(), num_pairs=10)
    >>> row = found["factors"]["x_R"]
    >>> round(row["mean"], 4), row["std"], row["exact"]  # 2 / 9 of the pixels change
    (0.2222, 0.0, True)

  Reference: Michlo, Klein & James 2023, "Overlooked Implications of the Reconstruction
  Loss for VAE Disentanglement", section 4.2.
  """
  check_count("factor_importance", num_pairs=num_pairs)
  rng = np.random.default_rng(rng)
  distance = pair_distance(data, loss)
  possible = can_be_exact(data, loss)
  if exact is None:
    exact = possible and exact_cost(data) <= _MOST_PRODUCTS
  names = data.factors.names
  if exact:
    found, random_mean = _exact(data, loss)
  else:
    found = [
      _estimate(distance(*draw_factor_pairs(data.factors, factor, num_pairs, rng)))
      for factor in range(len(names))
    ]
  random = _estimate(distance(*random_pairs(data.factors, num_pairs, rng)))
  if exact:
    random |= {"mean": random_mean, "mean_error": 0.0}
  return {"factors": dict(zip(names, found, strict=True)), "random": random}


def can_be_exact(data: GroundTruthData, loss: ReconstructionLoss) -> bool:
  """Whether every pair of the set can be measured."""
  repeatable = data.factors.is_whole and data.one_image_per_point
  return repeatable and bool(loss.squared_maps())


def exact_cost(data: GroundTruthData) -> int:
  """Number of multiplications to measure every pair that differs in one factor."""
  numbers = math.prod(data.observation_shape)
  return data.factors.num_points * sum(data.factors.sizes) * numbers


def pair_distance(
  data: GroundTruthData, loss: ReconstructionLoss
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
  """Function from points and other points `[pairs, factors]` to distances `[pairs]`."""

  @tf.function(reduce_retracing=True)
  def measure(points: tf.Tensor, others: tf.Tensor) -> tf.Tensor:
    return loss.mean_distance(data.observe(points), data.observe(others))

  @tensor_float_32(False)
  def distances(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    parts = [
      measure(tf.constant(points[i : i + _BATCH]), tf.constant(others[i : i + _BATCH]))
      for i in range(0, len(points), _BATCH)
    ]
    return np.concatenate([part.numpy() for part in parts])

  return distances


def draw_factor_pairs(
  space: FactorSpace, factor: int, num_pairs: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
  """Pairs of points that differ in one factor alone: two arrays `[pairs, factors]`.

  A factor with a single value has no such pairs: both points are the same.
  """
  traversals = ExistingTraversals(space, factor)
  points = traversals.draw_starts(num_pairs, rng)
  return points, traversals.draw_others(points, rng)


def random_pairs(
  space: FactorSpace, num_pairs: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
  """Pairs of two different random points: two arrays `[pairs, factors]`."""
  points, others = space.draw(num_pairs, rng), space.draw(num_pairs, rng)
  same = (points == others).all(axis=1)
  while same.any() and space.num_points > 1:
    others[same] = space.draw(int(same.sum()), rng)
    same = (points == others).all(axis=1)
  return points, others


def _estimate(distances: np.ndarray) -> dict:
  distances = np.asarray(distances, np.float64)
  count, std = len(distances), distances.std()
  # The variance of a sample's variance, by its fourth moment.
  fourth = np.mean((distances - distances.mean()) ** 4)
  spread = math.sqrt(max(fourth - std**4, 0.0) / count)
  return {
    "mean": float(distances.mean()),
    "std": float(std),
    "exact": False,
    "mean_error": float(std / math.sqrt(count)),
    "std_error": float(spread / (2 * std)) if std > 0 else 0.0,
  }


def _exact(data: GroundTruthData, loss: ReconstructionLoss) -> tuple[list[dict], float]:
  """Exact row of each factor, and the mean over random pairs."""
  moments = np.zeros((len(data.factors), 3))

  def collect(factor: int, distances: np.ndarray) -> None:
    values = distances.shape[1]
    pairs = len(distances) * values * (values - 1)  # the diagonal is 0
    moments[factor] += pairs, distances.sum(), np.square(distances).sum()

  random_mean = exact_distances(data, loss.squared_maps(), collect)
  count, total, squares = moments.T
  mean = total / np.maximum(count, 1)
  variance = np.maximum(squares / np.maximum(count, 1) - mean**2, 0.0)
  variance[variance < 1e-12 * mean**2] = 0.0  # rounding of equal distances
  rows = [
    {"mean": m, "std": s, "exact": True, "mean_error": 0.0, "std_error": 0.0}
    for m, s in zip(mean.tolist(), np.sqrt(variance).tolist(), strict=True)
  ]
  return rows, random_mean
