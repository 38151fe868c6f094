"""How far a decoder is from moving pixels in orthogonal directions."""

import numpy as np
from scipy import optimize

from disentangle_tf.metrics.parts.active_grams import active_grams
from disentangle_tf.metrics.parts.directions import lower_is_better, neither_is_better
from disentangle_tf.metrics.parts.time_limit import check_time


@lower_is_better("distance_to_orthogonality", "column_cosine")
@neither_is_better("orthogonality_latents")
def distance_to_orthogonality(
  jacobians: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """Distance of the right singular vectors of a decoder from a signed permutation.

  With J = U S V^T the Jacobian of the decoder at a code, the latents move the pixels in
  orthogonal directions if and only if V permutes them, up to signs.

  Args:
    jacobians: [points, pixels, latents] of the decoder at the posteriors' means.
    log_variances: [points, latents] of the posteriors there.
    threshold: of the mean variance; latents above it are pruned and left out.

  Returns:
    {"distance_to_orthogonality": mean over points of |V - P|_F with P the nearest
    signed permutation: from 0 to below sqrt(2 latents); a random V gives 0.55 for two
    latents, 1.64 for five, 2.85 for ten. V is arbitrary where two singular values are
    equal, and then the other score says more;
    "column_cosine": mean over points and pairs of latents of |cos| between the columns
    of J, from 0 to 1. Lower is better for both;
    "orthogonality_latents": how many latents took part}. With less than two both are 0.

  Needs no labels. Usually 500 points. Cost: O(points * pixels * latents^2).

  Reference: Rolinek, Zietlow & Martius 2019, "Variational Autoencoders Pursue PCA
  Directions (by Accident)", equation 29, there of latents whose means spread; by the
  variance as in Zietlow et al. 2021, section 5.3.
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
