"""Ranking of losses by how well they perceive the factors, before any training."""

import numpy as np

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
from disentangle_tf.perceived.agreement import agreement


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
