"""MIG, mutual information gap (Chen et al. 2018)."""

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.metrics.parts import information
from disentangle_tf.metrics.parts.directions import higher_is_better
from disentangle_tf.metrics.parts.points import discrete_points


@higher_is_better("mig")
def mig(
  codes: np.ndarray, factors: np.ndarray, *, num_bins: int = 20
) -> dict[str, float]:
  """Mean gap between the two latents that know most about each factor.

  Args:
    codes: [points, latents] representation means.
    factors: [points, factors] ground-truth factors.
    num_bins: equal-width bins per latent, over its own range; and per factor, if its
      values are not whole and are more than these.

  Returns:
    {"mig": float in [0, 1], higher is better}; an independent code gives about 0. A
    factor with more values than `num_bins` cannot reach 1: its information is capped at
    log(num_bins). Factors that take one value only carry no information and are left
    out. With a single latent the second best knows nothing. A constant latent knows
    nothing. Few points make it too high: see `mutual_information_matrix`.

  Needs labels. Usually 10,000 points. Cost: O(points * latents * factors); 10,000
  points take about 0.02 s.

  Reference: Chen et al. 2018, "Isolating Sources of Disentanglement in VAEs"; discrete
  estimator of Locatello et al. 2019, Appendix B.
  """
  check_count("mig", num_bins=num_bins)
  codes, factors = discrete_points(codes, factors, num_bins=num_bins)
  gains = information.mutual_information_matrix(codes, factors, num_bins=num_bins)
  first, second = information.two_largest(gains)
  return {"mig": float(((first - second) / information.entropies(factors)).mean())}
