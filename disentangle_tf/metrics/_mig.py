"""Mutual information gap (MIG; Chen et al. 2018)."""

import numpy as np

from disentangle_tf.arguments import check_count
from disentangle_tf.metrics.parts import information
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.points import discrete_points


@higher_is_better("mig")
def mig(
  codes: np.ndarray, factors: np.ndarray, *, num_bins: int = 20
) -> dict[str, float]:
  """Mean gap between the two latents that are most informative about each factor.

  Args:
    codes: `[points, latents]` representation means.
    factors: `[points, factors]` ground-truth factors.
    num_bins: equal-width bins per latent, over its own range. Also per factor, if it
      has more values than this and not all are whole numbers.

  Returns:
    `{"mig": float}` in [0, 1], higher is better; a random code scores about 0. A factor
    with more values than `num_bins` cannot reach 1: its information is capped at
    log(num_bins). Factors with a single value are left out. With a single latent the
    second best is 0. A constant latent has no information. With few points the score is
    too high: see `mutual_information_matrix`.

  Raises:
    UserError: if every factor has a single value.

  Needs labels. Usually 10,000 points. Cost: O(points * latents * factors); 10,000
  points take about 0.02 s.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((4, 4)).reshape(2, -1).T
    >>> metrics.mig(factors, factors)  # perfect codes
    {'mig': 1.0}
    >>> twice = np.concatenate([factors, factors], axis=1)  # redundant latents
    >>> metrics.mig(twice, factors)
    {'mig': 0.0}

  Reference: Chen et al. 2018, "Isolating Sources of Disentanglement in VAEs"; discrete
  estimator of Locatello et al. 2019, Appendix B.
  """
  check_count("mig", num_bins=num_bins)
  codes, factors = discrete_points(codes, factors, num_bins=num_bins)
  gains = information.mutual_information_matrix(codes, factors, num_bins=num_bins)
  first, second = information.two_largest(gains)
  return {"mig": float(((first - second) / information.entropies(factors)).mean())}
