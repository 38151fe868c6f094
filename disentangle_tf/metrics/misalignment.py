"""Price of misalignment: what latents pay that move pixels in slanted directions."""

import numpy as np

from disentangle_tf.metrics.parts.active_grams import active_grams
from disentangle_tf.metrics.parts.directions import lower_is_better
from disentangle_tf.metrics.parts.time_limit import check_time

# The sine of the angle between a column and the others, squared, below which it is
# rounding: differences of float32 images tell directions to about a thousandth.
_LEAST = 1e-6


@lower_is_better("misalignment", "singular_points")
def misalignment(
  jacobians: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """How much a VAE's loss would fall, in units of beta, if latents moved orthogonally.

  At the best variances of a diagonal posterior the loss is a constant plus beta / 2
  sum_j ln G_jj, with J the Jacobian of the decoder and G = J^T J. By Hadamard's
  inequality that is at least beta / 2 ln det G, and equal if and only if the latents
  move the pixels in orthogonal directions.

  Args:
    jacobians: [points, pixels, latents] of the decoder at the posteriors' means.
    log_variances: [points, latents] of the posteriors there.
    threshold: of the mean variance; latents above it are pruned and left out.

  Returns:
    {"misalignment": mean over points of 1/2 (sum_j ln G_jj - ln det G), from 0, lower
    is better. Two directions of squared lengths a and b, turned by t, cost 1/2 ln(1 +
    (a - b)^2 / (4 a b) sin^2 2t); equal ones cost nothing at any angle;
    "singular_points": the share of points, from 0 to 1, where two latents or more do
    the same to the image: det G is 0 but for rounding, and the price, which has no end,
    is counted as 6.9 (-1/2 ln 1e-6) for each direction that is lost}. A latent that
    does nothing at a point is left out there. With less than two latents both are 0.

  Needs no labels. Usually 500 points. Cost: O(points * pixels * latents^2).

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
  """(1/2 (sum ln G_jj - ln det G), whether G is singular) of one point."""
  check_time()
  lengths = np.sqrt(np.diag(gram))
  moving = lengths > 0
  cosines = gram[np.ix_(moving, moving)] / np.outer(lengths[moving], lengths[moving])
  eigenvalues = np.linalg.eigvalsh(cosines)  # det G = product of G_jj and of these
  kept = np.maximum(eigenvalues, _LEAST)
  return max(0.0, -0.5 * np.log(kept).sum()), bool((eigenvalues < _LEAST).any())
