"""Perceive a data set with a loss: all distances and statistics in one call."""

import dataclasses
from typing import Any

import numpy as np

from disentangle_tf.arguments import (
  check_count,
  check_instance,
  check_seed,
  check_truth,
)
from disentangle_tf.askable_model import AskableModel
from disentangle_tf.data import GroundTruthData, data_to_config
from disentangle_tf.errors import UserError
from disentangle_tf.losses import MSE, ReconstructionLoss
from disentangle_tf.perceived.distances import (
  distance_matrices,
  distance_matrix,
  true_distances,
)
from disentangle_tf.perceived.importance import (
  draw_factor_pairs,
  factor_importance,
  pair_distance,
  random_pairs,
)
from disentangle_tf.perceived.levels import level_agreement, level_distances
from disentangle_tf.perceived.ranking import agreement
from disentangle_tf.perceived.ranking import rank_losses as rank
from disentangle_tf.perceived.traversals import check_traversable, draw_traversals


@dataclasses.dataclass(frozen=True)
class Perception:
  """How a reconstruction loss perceives a data set: the result of `perceive`.

  Attributes:
    data: the `GroundTruthData`.
    loss: the `losses.ReconstructionLoss`.
    importance: result of `factor_importance`, with the settings; importance.json.
    agreement: result of `agreement`; agreement.json.
    traversals: for each factor a random traversal, points `[values, factors]`.
    matrices: for each factor its `distance_matrix`, `[values, values]`.
    curves: `{"random" or factor: distances [pairs]}` of random pairs, and of pairs that
      differ in one factor.
    worlds: `{label: distance matrix of the first factor}`, true and in each of the
      other data sets; None without other sets.
    ranking: result of `rank_losses`; None if it was not requested.
    level_distances: result of `level_distances`; None without a model.
    levels: result of `level_agreement`; None without a model.

  Example:
    >>> from disentangle_tf import data, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)
    >>> found = perceived.perceive(
    ...   data=squares, num_pairs=10, num_curve_pairs=10, num_traversals=2
    ... )
    >>> [matrix.shape for matrix in found.matrices], found.curves["random"].shape
    ([(3, 3), (3, 3)], (10,))
  """

  data: GroundTruthData
  loss: ReconstructionLoss
  importance: dict
  agreement: dict
  traversals: list[np.ndarray]
  matrices: list[np.ndarray]
  curves: dict
  worlds: dict | None = None
  ranking: list | None = None
  level_distances: dict | None = None
  levels: dict | None = None


_EXAMPLE = "data.XYSquares()"


def perceive(
  *,
  data: GroundTruthData,
  loss: ReconstructionLoss | None = None,
  model: AskableModel | None = None,
  others: dict[str, GroundTruthData] | None = None,
  rank_losses: bool = False,
  num_pairs: int = 50_000,
  num_curve_pairs: int = 5_000,
  num_traversals: int = 64,
  symmetric: bool = True,
  seed: int = 0,
) -> Perception:
  """Measure how a reconstruction loss perceives a data set.

  `write_tables` writes the result as tables, `pictures.write_perceived` as figures too.

  Args:
    data: the `GroundTruthData`; its factors must be ground truth.
    loss: the `losses.ReconstructionLoss`; None is MSE.
    model: an `AskableModel`, to measure the distances at all its levels as well.
    others: `{label: GroundTruthData}` whose first factor is shown beside that of
      `data`. The labels say how these sets differ.
    rank_losses: rank a list of losses as well.
    num_pairs: pairs of each estimate.
    num_curve_pairs: pairs of each curve of the cumulative figure. The paper's figure A1
      has 50,000, which takes minutes.
    num_traversals: traversals for matrices and correlations.
    symmetric: see `level_distances`.
    seed: seed of all random draws.

  Returns:
    A `Perception`.

  Raises:
    UserError: if the set has no ground-truth factors or no images, or a factor never
      varies alone.

  Example:
    >>> from disentangle_tf import data, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)  # 3 x 3 places
    >>> found = perceived.perceive(
    ...   data=squares, num_pairs=10, num_curve_pairs=10, num_traversals=2
    ... )
    >>> found.importance["factors"]["x_R"]["std"]  # every move costs the same
    0.0
  """
  loss = MSE() if loss is None else loss
  counts = {"num_pairs": num_pairs, "num_curve_pairs": num_curve_pairs}
  counts["num_traversals"] = num_traversals
  check_count("perceive", **counts)
  check_truth("perceive", symmetric=symmetric, rank_losses=rank_losses)
  check_seed("perceive", seed=seed)
  check_instance("perceive", ReconstructionLoss, "losses.MSE()", loss=loss)
  _check(data)
  _check_others(others)
  importance = {
    "loss": describe_loss(loss),
    "data": data_to_config(data),
    "settings": {**counts, "symmetric": symmetric, "seed": seed},
    "others": {label: data_to_config(world) for label, world in (others or {}).items()},
    "model": describe_model(model),
  }
  importance |= factor_importance(data, loss, num_pairs=num_pairs, rng=seed)
  options: dict[str, Any] = {"num_traversals": num_traversals, "rng": seed}
  agreed = agreement(data, loss, **options)
  ranking = rank(data, **options) if rank_losses else None
  levels = None
  if model is not None:
    levels = level_distances(data, loss, model, symmetric=symmetric, **options)
  rng = np.random.default_rng(seed)  # shared by all figures
  return Perception(
    data,
    loss,
    importance,
    agreed,
    traversals=draw_traversals(data.factors, rng),
    matrices=distance_matrices(data, loss, num_traversals=num_traversals, rng=rng),
    curves=_curves(data, loss, num_curve_pairs, rng),
    worlds=_worlds(data, others, loss, options) if others else None,
    ranking=ranking,
    level_distances=levels,
    levels=None if levels is None else level_agreement(levels),
  )


def describe_loss(loss: ReconstructionLoss) -> dict:
  """JSON description of a loss: its class and settings.

  A kernel is described by its shape and the number of entries of a box with the same
  spread.
  """
  settings: dict[str, Any] = {
    name: describe_loss(value) if hasattr(value, "squared_maps") else value
    for name, value in vars(loss).items()
    if not name.startswith("_")
  }
  kept: dict[str, Any] = {
    k: v for k, v in settings.items() if isinstance(v, str | int | float | dict)
  }
  if "kernel" in settings:
    kernel = settings["kernel"]
    kept["kernel_shape"] = list(kernel.shape)
    kept["kernel_entries"] = float(1 / np.sum(np.square(kernel, dtype=np.float64)))
  return {"class": type(loss).__name__, **kept}


def describe_model(model: AskableModel | None) -> dict | None:
  """JSON description of a model and its interface, as far as they are known."""
  if model is None:
    return None
  path, interface = getattr(model, "path", None), getattr(model, "interface", None)
  return {
    "path": None if path is None else str(path),
    "sha256": getattr(model, "sha256_of_all", None) or getattr(model, "sha256", None),
    "read_as": interface.describe() if interface else None,
  }


def _check_others(others: dict[str, GroundTruthData] | None) -> None:
  if others is not None and not isinstance(others, dict):
    raise UserError(f"perceive.others is {others!r}: it must be {{label: data set}}")
  for label, world in (others or {}).items():
    check_instance(f"perceive.others[{label!r}]", GroundTruthData, _EXAMPLE, data=world)


def _check(data: GroundTruthData) -> None:
  check_instance("perceive", GroundTruthData, _EXAMPLE, data=data)
  if data.has_factors and len(data.observation_shape) != 3:
    raise UserError(f"{data.name} has no images, so there is nothing to perceive")
  check_traversable(data)


def _curves(
  data: GroundTruthData,
  loss: ReconstructionLoss,
  num_pairs: int,
  rng: np.random.Generator,
) -> dict[str, np.ndarray]:
  """Distances `[pairs]` of random pairs ("random") and of pairs along each factor."""
  space, distance = data.factors, pair_distance(data, loss)
  distances = {"random": distance(*random_pairs(space, num_pairs, rng))}
  for factor, name in enumerate(space.names):
    pairs = draw_factor_pairs(space, factor, num_pairs, rng)
    distances[name] = distance(*pairs)
  return distances


def _worlds(
  data: GroundTruthData,
  others: dict[str, GroundTruthData],
  loss: ReconstructionLoss,
  options: dict,
) -> dict[str, np.ndarray]:
  """Figure 8: true distances of the first factor, and those perceived in each set."""
  worlds = {"ground truth": true_distances(data.factors.sizes[0])}
  for label, world in others.items():
    worlds[label] = distance_matrix(world, loss, 0, **options)
  return worlds
