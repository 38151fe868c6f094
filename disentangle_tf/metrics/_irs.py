"""Interventional robustness score (IRS) and its matrix (Suter et al. 2019)."""

import numpy as np

from disentangle_tf.arguments import check_count, check_positive, check_share
from disentangle_tf.metrics.parts.contract import higher_is_better, neither_is_better
from disentangle_tf.metrics.parts.points import (
  check_points,
  check_varying,
  equal_width_bins,
  varying_columns,
)


@higher_is_better("irs")
@neither_is_better("active_latents")
def irs(
  codes: np.ndarray,
  factors: np.ndarray,
  *,
  diff_quantile: float = 0.99,
  num_bins: int = 20,
) -> dict[str, float]:
  """How little each latent moves while the factor it represents is held fixed.

  Args:
    codes: `[points, latents]` representation means.
    factors: `[points, factors]` ground-truth factors.
    diff_quantile: quantile of the deviations that serves as their maximum; 1.0 is the
      maximum, as in the paper.
    num_bins: equal-width bins per factor, over its own range. A factor with no more
      values than this keeps them separate.

  Returns:
    `{"irs": float in [0, 1], higher is better; "active_latents": number of latents that
    are not constant}`. "irs" averages over latents, weighted by their largest
    deviation. Constant latents are left out; without other latents it is 0. The lowest
    score depends on the codes' tails, because a quantile is compared with a maximum: a
    random uniform code scores about 0, a Gaussian one 0.4, and more with few points per
    factor value. Factors with a single value are left out. disentanglement_lib's
    num_active_dims is the sum of the codes, unlike "active_latents".

  Needs labels. Usually 10,000 points. Cost: O(points * latents * factors); 10,000
  points take about 0.05 s.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((4, 4)).reshape(2, -1).T
    >>> metrics.irs(factors, factors)  # perfect codes
    {'irs': 1.0, 'active_latents': 2.0}

  Reference: Suter et al. 2019, "Robustly Disentangled Causal Mechanisms"; as in the
  code of Locatello et al. 2019.
  """
  matrix = irs_matrix(codes, factors, diff_quantile=diff_quantile, num_bins=num_bins)
  codes, _ = check_points(codes, factors)
  weights = _largest_deviations(codes)
  score = np.average(matrix.max(axis=1), weights=weights) if weights.any() else 0.0
  return {"irs": float(score), "active_latents": float((weights > 0).sum())}


def irs_matrix(
  codes: np.ndarray,
  factors: np.ndarray,
  *,
  diff_quantile: float = 0.99,
  num_bins: int = 20,
) -> np.ndarray:
  """Robustness of every latent while each factor is held fixed.

  Args:
    codes, factors, diff_quantile, num_bins: see `irs`.

  Returns:
    `[latents, factors]` array in [0, 1]: 1 if a latent does not move while the factor
    is fixed. Rows of constant latents and columns of factors with a single value are 0.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((4, 4)).reshape(2, -1).T
    >>> metrics.irs_matrix(factors, factors).round(3)  # perfect codes
    array([[1., 0.],
           [0., 1.]])
  """
  check_count("irs", num_bins=num_bins)
  check_positive("irs", diff_quantile=diff_quantile)
  check_share("irs", diff_quantile=diff_quantile)
  codes, factors = check_points(codes, factors)
  held = check_varying(factors)
  largest = _largest_deviations(codes)
  active = largest > 0
  matrix = np.zeros((codes.shape[1], factors.shape[1]))
  bins = equal_width_bins(factors, num_bins)
  for factor in held:
    moved = _mean_deviations(codes[:, active], bins[:, factor], diff_quantile)
    matrix[active, factor] = 1 - moved / largest[active]
  return matrix


def _largest_deviations(codes: np.ndarray) -> np.ndarray:
  """Largest deviation of each latent from its mean; exactly 0 for constant latents."""
  codes = codes.astype(np.float64)
  deviations = np.abs(codes - codes.mean(axis=0)).max(axis=0)
  return np.where(varying_columns(codes), deviations, 0.0)


def _mean_deviations(
  codes: np.ndarray, held: np.ndarray, quantile: float
) -> np.ndarray:
  """Quantile of the deviation for one value of `held`, averaged over its values."""
  codes = codes[np.argsort(held, kind="stable")].astype(np.float64)
  ends = np.cumsum(np.unique(held, return_counts=True)[1])[:-1]
  return np.mean(
    [
      np.quantile(np.abs(group - group.mean(axis=0)), quantile, axis=0)
      for group in np.split(codes, ends)
    ],
    axis=0,
  )
