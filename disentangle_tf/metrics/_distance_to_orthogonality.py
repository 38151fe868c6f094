"""Distance to orthogonality: whether latents move pixels in orthogonal directions."""

import numpy as np

from disentangle_tf.metrics.parts.active_grams import active_grams
from disentangle_tf.metrics.parts.contract import (
  check_time,
  lower_is_better,
  neither_is_better,
)


@lower_is_better("distance_to_orthogonality", "column_cosine")
@neither_is_better("orthogonality_latents")
def distance_to_orthogonality(
  jacobians: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """Distance of the decoder's right singular vectors from a signed permutation.

  Let J = U S V^T be the decoder's Jacobian at a code. The latents move the pixels in
  orthogonal directions if and only if V is a permutation, up to signs.

  Args:
    jacobians: `[points, pixels, latents]` of the decoder at the posteriors' means.
    log_variances: `[points, latents]` of the posteriors at the same points.
    threshold: latents whose mean variance is not below this are pruned and left out.

  Returns:
    "distance_to_orthogonality": mean over points of |V - P|_F, where P is the nearest
      signed permutation. From 0 to below sqrt(2 * latents), lower is better. A random V
      gives 0.55 for two latents, 1.64 for five, 2.85 for ten. V is arbitrary where two
      singular values are equal; "column_cosine" is then more meaningful.
    "column_cosine": mean over points and pairs of latents of |cos| between the columns
      of J, in [0, 1], lower is better.
    "orthogonality_latents": number of latents that took part; neither is better.
    With fewer than two active latents the first two are 0.

  Needs no labels. Usually 500 points. Cost: O(points * pixels * latents^2).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> jacobian = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])  # orthogonal columns
    >>> metrics.distance_to_orthogonality(jacobian[None], np.full((1, 2), -4.0))
    {'distance_to_orthogonality': 0.0, 'column_cosine': 0.0, 'orthogonality_latents':
    2.0}

  Reference: Rolinek, Zietlow & Martius 2019, "Variational Autoencoders Pursue PCA
  Directions (by Accident)", equation 29. They select latents by the spread of the
  means; the variance is used as in Zietlow et al. 2021, section 5.3.
  """
  grams, active = active_grams(jacobians, log_variances, threshold=threshold)
  distance = cosine = 0.0
  if active.sum() > 1:
    distance = np.mean([_distance(gram) for gram in grams])
    cosine = np.mean([_cosine(gram) for gram in grams])
  return {
    "distance_to_orthogonality": float(distance),
    "column_cosine": float(cosine),
    "orthogonality_latents": float(active.sum()),
  }


def _distance(gram: np.ndarray) -> float:
  """|V - P|_F = sqrt(2 d - 2 max over permutations of the sum of |V| along one)."""
  from scipy import optimize

  check_time()
  _, vectors = np.linalg.eigh(gram)  # columns: right singular vectors of J
  sizes = np.abs(vectors)
  best = sizes[optimize.linear_sum_assignment(sizes, maximize=True)].sum()
  return np.sqrt(max(0.0, 2 * (len(gram) - best)))


def _cosine(gram: np.ndarray) -> float:
  lengths = np.sqrt(np.diag(gram))
  products = np.outer(lengths, lengths)
  cosines = np.divide(
    np.abs(gram), products, out=np.zeros_like(gram), where=products > 0
  )
  return cosines[np.triu_indices(len(gram), 1)].mean()
