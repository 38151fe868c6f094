"""Mutual information gap of each latent (MIG-sup; Li et al. 2020)."""

import numpy as np

from disentangle_tf.arguments import check_count, check_weight
from disentangle_tf.metrics.parts import information
from disentangle_tf.metrics.parts.contract import higher_is_better
from disentangle_tf.metrics.parts.points import discrete_points


@higher_is_better("mig_sup")
def mig_sup(
  codes: np.ndarray, factors: np.ndarray, *, num_bins: int = 20, threshold: float = 0.01
) -> dict[str, float]:
  """Mean gap between the two factors that each active latent is most informative about.

  MIG asks that each factor have one latent; MIG-sup asks that each latent have one
  factor.

  Args:
    codes: `[points, latents]` representation means.
    factors: `[points, factors]` ground-truth factors.
    num_bins: equal-width bins per latent, over its own range. Also per factor, if it
      has more values than this and not all are whole numbers.
    threshold: latents with a variance up to this are inactive and left out.

  Returns:
    `{"mig_sup": float}` in [0, 1], higher is better. Information is divided by the
    factor's entropy. A random code scores about 0, and so does a code without active
    latents. An active latent without information lowers the score; redundant latents do
    not. A factor with more values than `num_bins` keeps its latent below 1. Factors
    with a single value are left out. With one factor the second best is 0.

  Needs labels. Usually 10,000 points. Cost: as MIG; 10,000 points take about 0.02 s.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> factors = np.indices((4, 4)).reshape(2, -1).T
    >>> metrics.mig_sup(factors, factors)  # perfect codes
    {'mig_sup': 1.0}
    >>> mixed = factors[:, :1] * 4 + factors[:, 1:]  # one latent encodes both factors
    >>> round(metrics.mig_sup(mixed, factors)["mig_sup"], 6)
    0.0

  Reference: Li et al. 2020, "Progressive Learning and Disentanglement of Hierarchical
  Representations"; with the discrete estimator of Locatello et al. 2019.
  """
  check_count("mig_sup", num_bins=num_bins)
  check_weight("mig_sup", threshold=threshold)
  codes, factors = discrete_points(codes, factors, num_bins=num_bins)
  active = np.var(codes, axis=0, dtype=np.float64) > threshold
  if not active.any():
    return {"mig_sup": 0.0}
  gains = information.mutual_information_matrix(
    codes[:, active], factors, num_bins=num_bins
  )
  first, second = information.two_largest((gains / information.entropies(factors)).T)
  return {"mig_sup": float((first - second).mean())}
