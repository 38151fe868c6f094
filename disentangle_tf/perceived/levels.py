"""Distances along the factors at every level of a model: images, codes, posteriors.

Michlo, Klein & James 2023, figures 4 and 10: a VAE's latents and reconstructions
reproduce the distances that its loss perceives.
"""

from collections.abc import Callable, Sequence

import numpy as np

from disentangle_tf.askable_model import AskableModel
from disentangle_tf.data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.perceived.distances import (
  at_values,
  code_distances,
  pairwise_distances,
  true_distances,
)
from disentangle_tf.perceived.ranking import correlations
from disentangle_tf.perceived.traversals import ExistingTraversals
from disentangle_tf.tensor_float_32 import tensor_float_32


@tensor_float_32(False)
def level_distances(
  data: GroundTruthData,
  loss: ReconstructionLoss,
  model: AskableModel,
  *,
  factors: Sequence[str] | None = None,
  num_traversals: int = 32,
  symmetric: bool = True,
  rng: int | np.random.Generator = 0,
) -> dict[str, dict[str, np.ndarray]]:
  """Distances between every two values of each factor, at each level of a model.

  Args:
    data: a `GroundTruthData` that has factors.
    loss: the `losses.ReconstructionLoss` for images and reconstructions.
    model: an `AskableModel`.
    factors: names of the factors to measure; None measures all.
    num_traversals: random traversals of each factor.
    symmetric: True averages the KL in both directions; False is the paper's KL(row ||
      column).
    rng: seed or `numpy.random.Generator` that draws the traversals.

  Returns:
    `{factor: {"ground truth", "observations", "latent means" (L2), "posterior KL" (in
    nats), "reconstructions"}}`, each `[traversals, values, values]`. Levels that the
    model lacks are left out. Values that a traversal lacks are NaN.

  Raises:
    UserError: if the data set has no factor of a given name.

  Example:
    >>> from disentangle_tf import data, losses, perceived
    >>> class Pixels:  # codes are pixels; a trained model has the same methods
    ...   can_reconstruct = False
    ...   def encode(self, images):
    ...     return images.reshape(len(images), -1), None
    >>> squares = data.XYSquares(num_squares=1, image_size=24)
    >>> distances = perceived.level_distances(
    ...   squares, losses.MSE(), Pixels(), num_traversals=2
    ... )
    >>> {level: array.shape for level, array in distances["x_R"].items()}
    {'ground truth': (2, 3, 3), 'observations': (2, 3, 3), 'latent means': (2, 3, 3)}
  """
  rng = np.random.default_rng(rng)
  names = data.factors.names
  for name in factors or ():
    if name not in names:
      raise UserError(f"{data.name} has no factor {name!r} (but {', '.join(names)})")
  return {
    name: _along(data, loss, model, names.index(name), num_traversals, symmetric, rng)
    for name in factors or names
  }


def level_agreement(
  distances: dict[str, dict[str, np.ndarray]],
) -> dict[str, dict[str, dict[str, float]]]:
  """Correlation of each level's distances with the distances of the factor.

  Args:
    distances: result of `level_distances`.

  Returns:
    `{factor: {level: {"linear", "rank"}}}` in [-1, 1] as in `agreement`, for factors of
    three or more values.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import perceived
    >>> steps = np.abs(np.arange(3)[:, None] - np.arange(3))[None].astype(float)
    >>> levels = {"x": {"ground truth": steps, "latent means": 5 * steps}}
    >>> found = perceived.level_agreement(levels)["x"]["latent means"]
    >>> {name: round(value, 6) for name, value in found.items()}
    {'linear': 1.0, 'rank': 1.0}
  """
  return {
    factor: {
      level: correlations(levels["ground truth"], found)
      for level, found in levels.items()
      if level != "ground truth"
    }
    for factor, levels in distances.items()
    if levels["ground truth"].shape[-1] > 2
  }


def _along(
  data: GroundTruthData,
  loss: ReconstructionLoss,
  model: AskableModel,
  factor: int,
  num_traversals: int,
  symmetric: bool,
  rng: np.random.Generator,
) -> dict[str, np.ndarray]:
  """Distances of one factor at each level, `[traversals, values, values]`."""
  size, traversals = (
    data.factors.sizes[factor],
    ExistingTraversals(data.factors, factor),
  )
  starts = traversals.draw_starts(num_traversals, rng)
  points, values = zip(*map(traversals.walk, starts), strict=True)
  images = data.observe(np.concatenate(points)).numpy()
  means, log_variances = model.encode(images)

  def of_each(distances: Callable[..., np.ndarray], *arrays: np.ndarray) -> np.ndarray:
    ends = np.cumsum([len(each) for each in values])[:-1]
    parts = zip(values, *(np.split(array, ends) for array in arrays), strict=True)
    return np.array([at_values(distances(*part), v, size) for v, *part in parts])

  def perceived(images: np.ndarray) -> np.ndarray:
    return pairwise_distances(loss, images).numpy()

  levels = {
    "ground truth": np.tile(true_distances(size).astype(float), (num_traversals, 1, 1)),
    "observations": of_each(perceived, images),
    "latent means": of_each(code_distances, means),
  }
  if log_variances is not None:
    divergence = symmetric_kl if symmetric else pairwise_kl
    levels["posterior KL"] = of_each(divergence, means, log_variances)
  if model.can_reconstruct:
    levels["reconstructions"] = of_each(perceived, model.reconstruct(images))
  return levels


def symmetric_kl(means: np.ndarray, log_variances: np.ndarray) -> np.ndarray:
  """Mean of the two KL divergences between every two diagonal Gaussians: `[N, N]`."""
  divergences = pairwise_kl(means, log_variances)
  return 0.5 * (divergences + divergences.T)


def pairwise_kl(means: np.ndarray, log_variances: np.ndarray) -> np.ndarray:
  """KL(i || j) between every two diagonal Gaussians, in nats: [N, N].

  0.5 * sum over latents of (v_i/v_j - 1 - log(v_i/v_j) + (m_i - m_j)^2 / v_j).
  """
  means, log_variances = (np.asarray(x, np.float64) for x in (means, log_variances))
  precisions, rows = np.exp(-log_variances), []
  for mean, log_variance in zip(means, log_variances, strict=True):  # saves memory
    log_ratio = log_variance - log_variances
    each = np.expm1(log_ratio) - log_ratio + (mean - means) ** 2 * precisions
    rows.append(0.5 * each.sum(axis=-1))
  return np.stack(rows)
