"""Agreement of perceived distances with the factors, and losses ranked by it."""

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.losses import (
  MAE,
  MSE,
  Overlap,
  ReconstructionLoss,
  box_kernel,
  gaussian_kernel,
)
from disentangle_tf.metrics import distance_agreement
from disentangle_tf.perceived.distances import (
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


def losses_to_try(data: GroundTruthData) -> dict[str, ReconstructionLoss]:
  """Losses to rank: pixel-wise ones, and overlap losses up to the size of the image.

  The blurs have their default weights, as in gin/losses.
  """
  size = max(data.observation_shape[:2])
  radii = sorted({max(1, size // part) for part in (16, 8, 4, 2)})
  found = {"mse": MSE(), "mae": MAE()}
  for name, kernel in (("box", box_kernel), ("gaussian", gaussian_kernel)):
    for radius in radii:
      found[f"{name} {radius}"] = Overlap(MSE(), kernel(radius))
  return found


def rank_losses(
  data: GroundTruthData,
  losses: dict[str, ReconstructionLoss] | None = None,
  *,
  num_traversals: int = 32,
  rng: int | np.random.Generator = 0,
) -> list[dict]:
  """Rank losses by how well their distances agree with those of the factors.

  Args:
    data: a `GroundTruthData` that has factors.
    losses: `{name: losses.ReconstructionLoss}`; None is `losses_to_try`.
    num_traversals, rng: see `agreement`; each loss gets the same traversals.

  Returns:
    A list of `{"loss": name, "score", "factors", "random", "adversarial"}`, best first.
    The score is the mean linear correlation over factors, in [-1, 1], higher is better.
    (Differences too small to matter would decide the rank correlation.) The other keys
    are those of `agreement`.

  Raises:
    UserError: if no factor has three values.

  Example:
    >>> from disentangle_tf import data, losses, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)  # 3 x 3 places
    >>> blurred = losses.Overlap(losses.MSE(), losses.box_kernel(8))
    >>> candidates = {"mse": losses.MSE(), "blurred": blurred}
    >>> ranking = perceived.rank_losses(squares, candidates, num_traversals=2)
    >>> [row["loss"] for row in ranking]
    ['blurred', 'mse']
  """
  losses = losses_to_try(data) if losses is None else losses
  rows = []
  for name, loss in losses.items():
    found = agreement(data, loss, num_traversals=num_traversals, rng=rng)
    if not found["factors"]:
      raise UserError(
        f"no factor of {data.name} has three values, so none has an order"
      )
    linear = [factor["linear"] for factor in found["factors"].values()]
    rows.append({"loss": name, "score": float(np.mean(linear)), **found})
  return sorted(rows, key=lambda row: -row["score"])
