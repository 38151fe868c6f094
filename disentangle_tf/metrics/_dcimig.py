"""DCIMIG, also called 3CharM (Sepliarskaia et al. 2019)."""

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.metrics.parts import information
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.points import discrete_points


@higher_is_better("dcimig")
def dcimig(
  codes: np.ndarray, factors: np.ndarray, *, num_bins: int = 20
) -> dict[str, float]:
  """Information of latents about a single factor, as a share of the factors' entropy.

  Each latent is assigned to the factor that it is most informative about. Its gap is
  the information about this factor minus the information about the second. Each factor
  takes the largest gap of its latents. The sum of these gaps is divided by the sum of
  the factors' entropies.

  Args:
    codes: `[points, latents]` representation means.
    factors: `[points, factors]` ground-truth factors.
    num_bins: equal-width bins per latent, over its own range. Also per factor, if it
      has more values than this and not all are whole numbers.

  Returns:
    `{"dcimig": float}` in [0, 1], higher is better; a random code scores about 0. As
    with MIG, factors with more values than `num_bins` keep it below 1. Redundant
    latents do not lower it. Constant latents have no information. Factors with a single
    value are left out. With one factor, the second best is 0.

  Needs labels. Usually 10,000 points. Cost: as MIG; 10,000 points take about 0.02 s.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((4, 4)).reshape(2, -1).T
    >>> metrics.dcimig(factors, factors)  # perfect codes
    {'dcimig': 1.0}
    >>> metrics.dcimig(factors[:, :1], factors)  # the second factor is not encoded
    {'dcimig': 0.5}

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
