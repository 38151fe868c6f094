"""Ranking of losses by how well they see a data set's factors, before any training."""

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
  """{name: loss}: pixel-wise ones, and overlap losses up to the image's size.

  Blurs weigh what they weigh by default, as those of gin/losses do.
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
  """Losses by how well their distances agree with those of the factors, best first.

  Args:
    data: a `GroundTruthData` that has factors.
    losses: {name: `losses.ReconstructionLoss`}; by default `losses_to_try`.
    num_traversals, rng: as of `agreement`; each loss sees the same traversals.

  Returns:
    [{"loss": name, "score", "factors", "random", "adversarial"}], where the score is
    the mean linear correlation over factors, and the rest as of `agreement`. Not the
    rank correlation, which differences too small to matter would decide.
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
