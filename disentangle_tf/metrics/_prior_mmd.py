"""Maximum mean discrepancy between the aggregate posterior and the prior."""

from collections.abc import Sequence

import numpy as np

from disentangle_tf.arguments import check_list, check_positive, check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import lower_is_better
from disentangle_tf.metrics.parts.points import check_codes


@lower_is_better("prior_mmd")
def prior_mmd(
  codes: np.ndarray,
  prior_codes: np.ndarray,
  *,
  scales: Sequence[float] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
  per_latent: bool = False,
) -> dict[str, float]:
  """Squared MMD between the aggregate posterior and the prior, by an unbiased estimate.

  Args:
    codes: `[points, latents]`, one drawn from the posterior of each image.
    prior_codes: `[points, latents]`, drawn from the prior.
    scales: values of s. The kernel is the sum over s of the inverse multiquadratics
      2 s / (2 s + |z - z'|^2).
    per_latent: add up the discrepancies of single latents, as in the code of Mathieu et
      al., instead of that of whole codes, as in the paper.

  Returns:
    `{"prior_mmd": float}`, lower is better. The expectation is 0 if the distributions
    agree, so the estimate may be slightly negative; at most 2 per scale (and latent).

  Raises:
    UserError: if the shapes differ or there are fewer than two points.

  Needs no labels. Usually 2,000 points of sampled codes. Cost: O(points^2 * latents).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> codes = np.zeros((3, 2))
    >>> metrics.prior_mmd(codes, codes)["prior_mmd"]
    0.0
    >>> far = metrics.prior_mmd(codes, codes + 1e6, scales=(1.0,))  # nothing in common
    >>> round(far["prior_mmd"], 6)
    2.0

  Reference: Mathieu et al. 2019, "Disentangling Disentanglement in Variational
  Autoencoders", Section 6.3 and Appendix B.
  """
  check_list("prior_mmd", check_positive, scales=scales)
  check_truth("prior_mmd", per_latent=per_latent)
  codes = check_codes(codes).astype(np.float64)
  drawn = np.asarray(prior_codes, np.float64)
  if drawn.shape != codes.shape or len(codes) < 2:
    raise UserError(
      f"codes {codes.shape} and prior_codes {drawn.shape} must have the same shape, "
      "with at least two points"
    )
  if not per_latent:
    return {"prior_mmd": _discrepancy(codes, drawn, scales)}
  columns = range(codes.shape[1])
  each = (_discrepancy(codes[:, [j]], drawn[:, [j]], scales) for j in columns)
  return {"prior_mmd": sum(each)}


def _discrepancy(
  codes: np.ndarray, drawn: np.ndarray, scales: Sequence[float]
) -> float:
  size = len(codes)
  within = sum(_kernel_sum(points, points, scales) for points in (codes, drawn))
  # Without the diagonal, the pairs of a code with itself, the estimate is unbiased.
  within -= 2 * size * len(scales)
  between = _kernel_sum(codes, drawn, scales)
  return float(within / (size * (size - 1)) - 2 * between / size**2)


def _kernel_sum(
  first: np.ndarray, second: np.ndarray, scales: Sequence[float]
) -> float:
  """Sum of the kernel over all pairs of codes."""
  squared = (
    np.sum(first**2, axis=1)[:, None] + np.sum(second**2, axis=1) - 2 * first @ second.T
  )
  np.maximum(squared, 0, out=squared)
  return sum(np.sum(2 * s / (2 * s + squared)) for s in scales)
