"""DCIMIG, also called 3CharM (Sepliarskaia et al. 2019)."""

import numpy as np

from disentangle_tf.argument_checks import check_count
from disentangle_tf.metrics.parts import information
from disentangle_tf.metrics.parts.directions import higher_is_better
from disentangle_tf.metrics.parts.points import discrete_points


@higher_is_better("dcimig")
def dcimig(
  codes: np.ndarray, factors: np.ndarray, *, num_bins: int = 20
) -> dict[str, float]:
  """Information that latents have about one factor only, of all there is to know.

  A latent speaks for the factor it knows most about, with the gap to the second; a
  factor takes its best latent. Their sum is divided by the entropy of the factors.

  Args:
    codes: [points, latents] representation means.
    factors: [points, factors] ground-truth factors.
    num_bins: equal-width bins per latent, over its own range; and per factor, if its
      values are not whole and are more than these.

  Returns:
    {"dcimig": float in [0, 1], higher is better}; an independent code gives about 0. As
    with MIG, factors with more values than `num_bins` keep it below 1. Redundant
    latents do not lower it. Constant latents know nothing; factors that take one value
    only are left out; with one factor the second best is 0.

  Needs labels. Usually 10,000 points. Cost: as MIG; 10,000 points take about 0.02 s.

  Reference: Sepliarskaia et al. 2019, "How to Not Measure Disentanglement"; as in
  Carbonneau et al. 2022, "Measuring Disentanglement: A Review of Metrics".
  """
  check_count("dcimig", num_bins=num_bins)
  codes, factors = discrete_points(codes, factors, num_bins=num_bins)
  gains = information.mutual_information_matrix(codes, factors, num_bins=num_bins)
  first, second = information.two_largest(gains.T)
  best = np.zeros(factors.shape[1])
  np.maximum.at(best, gains.argmax(axis=1), first - second)
  return {"dcimig": float(best.sum() / information.entropies(factors).sum())}
