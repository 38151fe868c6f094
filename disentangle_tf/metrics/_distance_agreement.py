"""Distance agreement: correlations of factor, perceived and latent distances."""

import itertools

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics._mcc import correlation_matrix
from disentangle_tf.metrics.parts.contract import higher_is_better


@higher_is_better("linear_*", "rank_*")
def distance_agreement(
  factor_distances: np.ndarray,
  perceived_distances: np.ndarray | None = None,
  latent_distances: np.ndarray | None = None,
) -> dict[str, float]:
  """Linear and rank correlations between distances of the same pairs of points.

  The pairs are random pairs of a set, or pairs that differ in one factor only.

  Args:
    factor_distances: `[pairs]`, the L1 distance of the factors in the papers.
    perceived_distances: `[pairs]`, the reconstruction loss between the two images. None
      leaves it out.
    latent_distances: `[pairs]`, the L1 or L2 distance of the codes. None leaves it out.

  Returns:
    For every two kinds of distance `{"linear_factor_perceived": float (Pearson),
    "rank_factor_perceived": float (Spearman), ...}` in [-1, 1], higher is better: 1 if
    one grows with the other. Unrelated distances score about 0, constant distances 0.

  Raises:
    UserError: if there are fewer than two kinds of distances, or their lengths differ.

  Needs labels for the factor distances. About 10,000 pairs. Cost: sorting them.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> steps = np.array([1.0, 2.0, 3.0, 4.0])
    >>> scores = metrics.distance_agreement(steps, steps**2)
    >>> {name: round(score, 3) for name, score in scores.items()}
    {'linear_factor_perceived': 0.984, 'rank_factor_perceived': 1.0}

  Reference: Michlo et al. 2023, "Overlooked Implications of the Reconstruction Loss for
  VAE Disentanglement"; the distance components of the library disent.
  """
  distances = {
    "factor": factor_distances,
    "perceived": perceived_distances,
    "latent": latent_distances,
  }
  distances = {kind: _check(kind, d) for kind, d in distances.items() if d is not None}
  if len(distances) < 2 or len({len(d) for d in distances.values()}) > 1:
    raise UserError(
      "distance_agreement needs at least two kinds of distances of the same pairs, got "
      + ", ".join(f"{len(d)} {kind}" for kind, d in distances.items())
    )
  return {
    f"{name}_{one}_{other}": _correlation(distances[one], distances[other], method)
    for one, other in itertools.combinations(distances, 2)
    for name, method in (("linear", "pearson"), ("rank", "spearman"))
  }


def _correlation(first: np.ndarray, second: np.ndarray, method: str) -> float:
  return float(
    correlation_matrix(first[:, None], second[:, None], correlation=method)[0, 0]
  )


def _check(kind: str, distances: np.ndarray) -> np.ndarray:
  distances = np.asarray(distances)
  if distances.ndim != 1 or not len(distances) or not np.isfinite(distances).all():
    raise UserError(f"{kind} distances {distances.shape} must be [pairs], all finite")
  return distances
