"""How far a decoder is from moving pixels in orthogonal directions."""

import numpy as np
from scipy import optimize

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.directions import lower_is_better


@lower_is_better("distance_to_orthogonality", "column_cosine")
def distance_to_orthogonality(jacobians):
  """Distance of the right singular vectors of a decoder from a signed permutation.

  With J = U S V^T the Jacobian of the decoder at a code, the latents move the pixels in
  orthogonal directions if and only if V permutes them, up to signs.

  Args:
    jacobians: [points, pixels, latents], of the latents that are active.

  Returns:
    {"distance_to_orthogonality": mean over points of |V - P|_F with P the nearest
    signed permutation: from 0 to below sqrt(2 latents); a random V gives 0.55 for two
    latents, 1.64 for five, 2.85 for ten. V is arbitrary where two singular values are
    equal, and then the other score says more;
    "column_cosine": mean over points and pairs of latents of |cos| between the columns
    of J, from 0 to 1}. Lower is better for both. With less than two latents both are 0.

  Needs no labels. Usually 1,000 points. Cost: O(points * pixels * latents^2).

  Reference: Rolinek, Zietlow & Martius 2019, "Variational Autoencoders Pursue PCA
  Directions (by Accident)", equation 29.
  """
  jacobians = np.asarray(jacobians, np.float64)
  if jacobians.ndim != 3 or not len(jacobians):
    raise UserError(
      f"jacobians have the shape {jacobians.shape}: it must be [points, pixels, "
      "latents]"
    )
  if not np.isfinite(jacobians).all():
    raise UserError("jacobians hold numbers that are not finite")
  if jacobians.shape[2] < 2:
    return {"distance_to_orthogonality": 0.0, "column_cosine": 0.0}
  grams = np.einsum("npi,npj->nij", jacobians, jacobians)
  _, vectors = np.linalg.eigh(grams)  # columns: right singular vectors of each J
  distances = [_distance(matrix) for matrix in vectors]
  return {
    "distance_to_orthogonality": float(np.mean(distances)),
    "column_cosine": float(np.mean([_cosine(gram) for gram in grams])),
  }


def _distance(matrix):
  """|V - P|_F = sqrt(2 d - 2 max over permutations of the sum of |V| along one)."""
  sizes = np.abs(matrix)
  best = sizes[optimize.linear_sum_assignment(sizes, maximize=True)].sum()
  return np.sqrt(max(0.0, 2 * (len(matrix) - best)))


def _cosine(gram):
  lengths = np.sqrt(np.diag(gram))
  products = np.outer(lengths, lengths)
  cosines = np.divide(
    np.abs(gram), products, out=np.zeros_like(gram), where=products > 0
  )
  return cosines[np.triu_indices(len(gram), 1)].mean()
