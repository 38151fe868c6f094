"""Agreement of perceived distances with the distances of the factors.

Michlo, Klein & James 2023, section 4: a VAE disentangles where they agree.
"""

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.data import GroundTruthData
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.metrics import distance_agreement
from disentangle_tf.perceived.distance_matrix import (
  group_distances,
  traversal_distances,
  true_distances,
)

_CONSTANT = 0.01  # std / mean of distances that count as equal
_GROUP = 32  # random points compared with each other


def agreement(
  data: GroundTruthData,
  loss: ReconstructionLoss,
  *,
  num_traversals: int = 64,
  rng: int | np.random.Generator = 0,
) -> dict:
  """Correlations of perceived distances with factor distances, measured in steps.

  Along a factor over all pairs of its values; for random points over all pairs within
  groups of 32. Both include the distance of 0 of each point to itself.

  Args:
    data: a `GroundTruthData` that has factors. If combinations are missing, only
      existing traversals and pairs count.
    loss: a `losses.ReconstructionLoss`, applied to plain images in [0, 1].
    num_traversals: random traversals of each factor, and groups of random points.
    rng: seed or `numpy.random.Generator` that draws them.

  Returns:
    `{"factors": {name: {"linear", "rank", "constant"}}, "random": {"linear", "rank"},
    "adversarial"}`. "linear" is Pearson's, "rank" Spearman's correlation in [-1, 1],
    higher is better. "constant" is True if all distances between different values of
    the factor are equal, so that the loss gives them no order. "adversarial" is True if
    every factor is constant. Only factors of three or more values have an order and are
    listed.

  Example:
    >>> from disentangle_tf import data, losses, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)  # 3 x 3 places
    >>> found = perceived.agreement(squares, losses.MSE(), num_traversals=2)
    >>> found["factors"]["x_R"]["constant"], found["adversarial"]
    (True, True)
  """
  check_count("agreement", num_traversals=num_traversals)
  rng = np.random.default_rng(rng)
  space, factors = data.factors, {}
  for factor, name in enumerate(space.names):
    size = space.sizes[factor]
    if size > 2:
      matrices = list(traversal_distances(data, loss, factor, num_traversals, rng))
      steps = [true_distances(size)] * num_traversals
      factors[name] = correlations(steps, matrices) | {
        "constant": _is_constant(np.array(matrices))
      }
  groups = [space.draw(_GROUP, rng).astype(np.int64) for _ in range(num_traversals)]
  measure = group_distances(data, loss)
  steps = [np.abs(points[:, None] - points).sum(axis=-1) for points in groups]
  return {
    "factors": factors,
    "random": correlations(steps, [measure(points) for points in groups]),
    "adversarial": bool(factors) and all(f["constant"] for f in factors.values()),
  }


def correlations(
  steps: np.ndarray | list[np.ndarray], matrices: np.ndarray | list[np.ndarray]
) -> dict[str, float]:
  """Linear and rank correlation of two arrays of distances of the same shape.

  Pairs that do not exist, whose distance is NaN, are left out.
  """
  steps, distances = np.ravel(steps), np.ravel(matrices)
  known = np.isfinite(distances)
  scores = distance_agreement(steps[known], distances[known])
  return {name: scores[f"{name}_factor_perceived"] for name in ("linear", "rank")}


def _is_constant(matrices: np.ndarray) -> bool:
  different = matrices[:, ~np.eye(matrices.shape[1], dtype=bool)]
  different = different[np.isfinite(different)]
  return bool(different.std() <= _CONSTANT * different.mean())
