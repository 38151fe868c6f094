"""How far all codes together are from the prior: maximum mean discrepancy."""

from collections.abc import Sequence

import numpy as np

from disentangle_tf.argument_checks import check_list, check_positive, check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.directions import lower_is_better
from disentangle_tf.metrics.parts.points import check_codes


@lower_is_better("prior_mmd")
def prior_mmd(
  codes: np.ndarray,
  prior_codes: np.ndarray,
  *,
  scales: Sequence[float] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
  per_latent: bool = False,
) -> dict[str, float]:
  """Squared MMD of the aggregate posterior and the prior, by an unbiased estimate.

  Args:
    codes: [points, latents], drawn from the posteriors of as many images.
    prior_codes: [points, latents], drawn from the prior.
    scales: s of the kernel, the sum of 2 s / (2 s + |z - z'|^2), inverse
      multiquadratics.
    per_latent: add up the discrepancies of single latents, as in the code of Mathieu
      et al., instead of that of whole codes, as in the paper.

  Returns:
    {"prior_mmd": float}: 0 in expectation if they agree, a little below 0 at times;
    at most 2 for each scale (and latent). Lower is better.

  Needs no labels. Usually 2,000 points of sampled codes. Cost: O(points^2 * latents).

  Reference: Mathieu et al. 2019, "Disentangling Disentanglement in Variational
  Autoencoders", Section 6.3 and Appendix B.
  """
  check_list("prior_mmd", check_positive, scales=scales)
  check_truth("prior_mmd", per_latent=per_latent)
  codes = check_codes(codes).astype(np.float64)
  drawn = np.asarray(prior_codes, np.float64)
  if drawn.shape != codes.shape or len(codes) < 2:
    raise UserError(
      f"codes {codes.shape} and prior_codes {drawn.shape} must be of one shape, two "
      "points or more"
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
  # Without the diagonal, where a code meets itself, the estimate is unbiased.
  within -= 2 * size * len(scales)
  between = _kernel_sum(codes, drawn, scales)
  return float(within / (size * (size - 1)) - 2 * between / size**2)


def _kernel_sum(
  first: np.ndarray, second: np.ndarray, scales: Sequence[float]
) -> float:
  """Of the kernel over every two codes."""
  squared = (
    np.sum(first**2, axis=1)[:, None] + np.sum(second**2, axis=1) - 2 * first @ second.T
  )
  np.maximum(squared, 0, out=squared)
  return sum(np.sum(2 * s / (2 * s + squared)) for s in scales)
