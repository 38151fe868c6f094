"""Misalignment: the price of moving pixels in directions that are not orthogonal."""

import numpy as np

from disentangle_tf.metrics.parts.active_grams import active_grams
from disentangle_tf.metrics.parts.contract import check_time, lower_is_better

# A column whose squared sine of the angle to the others is below this is singular:
# differences of float32 images resolve directions to about a thousandth.
_LEAST = 1e-6


@lower_is_better("misalignment", "singular_points")
def misalignment(
  jacobians: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """How much a VAE's loss would fall, in units of beta, if latents moved orthogonally.

  At the best variances of a diagonal posterior the loss is a constant plus beta / 2 *
  sum_j ln G_jj, with J the Jacobian of the decoder and G = J^T J. By Hadamard's
  inequality the sum is at least ln det G, with equality if and only if the latents move
  the pixels in orthogonal directions.

  Args:
    jacobians: `[points, pixels, latents]` of the decoder at the posteriors' means.
    log_variances: `[points, latents]` of the posteriors at the same points.
    threshold: latents whose mean variance is not below this are pruned and left out.

  Returns:
    "misalignment": mean over points of 1/2 (sum_j ln G_jj - ln det G), 0 or more, lower
      is better. Two directions of squared lengths a and b, turned by t, cost 1/2 ln(1 +
      (a - b)^2 / (4 a b) sin^2 2t); equal lengths cost nothing at any angle.
    "singular_points": share of points in [0, 1] where two or more latents do the same
      to the image; lower is better. There det G is 0 apart from rounding and the price
      has no bound, so each lost direction counts as 6.9 (-1/2 ln 1e-6).
    A latent that moves no pixel at a point is left out there. With fewer than two
    latents both are 0.

  Needs no labels. Usually 500 points. Cost: O(points * pixels * latents^2).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> jacobian = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])  # orthogonal columns
    >>> metrics.misalignment(jacobian[None], np.full((1, 2), -4.0))
    {'misalignment': 0.0, 'singular_points': 0.0}
    >>> same = np.ones((1, 3, 2))  # two latents that do the same
    >>> metrics.misalignment(same, np.full((1, 2), -4.0))["singular_points"]
    1.0

  Reference: Rolinek, Zietlow & Martius 2019, "Variational Autoencoders Pursue PCA
  Directions (by Accident)", section 3; Zietlow et al. 2021, equations 6 to 11.
  """
  grams, _ = active_grams(jacobians, log_variances, threshold=threshold)
  prices, singular = zip(*map(_price, grams), strict=True)
  return {
    "misalignment": float(np.mean(prices)),
    "singular_points": float(np.mean(singular)),
  }


def _price(gram: np.ndarray) -> tuple[float, bool]:
  """1/2 (sum ln G_jj - ln det G) of one point, and whether G is singular."""
  check_time()
  lengths = np.sqrt(np.diag(gram))
  moving = lengths > 0
  cosines = gram[np.ix_(moving, moving)] / np.outer(lengths[moving], lengths[moving])
  eigenvalues = np.linalg.eigvalsh(cosines)  # det G = product of G_jj and of these
  kept = np.maximum(eigenvalues, _LEAST)
  return max(0.0, -0.5 * np.log(kept).sum()), bool((eigenvalues < _LEAST).any())
