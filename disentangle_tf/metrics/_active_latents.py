"""Active latents: how many posteriors are narrower than the prior (Zietlow et al.)."""

import numpy as np

from disentangle_tf.arguments import check_positive
from disentangle_tf.metrics.parts.contract import neither_is_better


@neither_is_better("active_latents_by_variance")
def active_latents(
  log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """Number of latents that are not pruned: their mean posterior variance is small.

  Args:
    log_variances: `[points, latents]` log-variances of the posteriors.
    threshold: a latent is active if its mean variance is below this. The prior's
      variance is 1.

  Returns:
    `{"active_latents_by_variance": float}`, from 0 to the number of latents. Neither
    direction is better. Fewer active latents than factors is over-pruning: the paper's
    figures 5 and 7 to 9 leave such runs out. All latents of a deterministic encoder
    count. `active_units` counts by the variance of the means instead.

  Needs no labels. Usually 10,000 points. Cost: O(points * latents).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> log_variances = np.tile([-4.0, 0.0], (100, 1))  # the second equals the prior
    >>> metrics.active_latents(log_variances)
    {'active_latents_by_variance': 1.0}

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 5.3.
  """
  return {
    "active_latents_by_variance": float(
      np.sum(is_active(log_variances, threshold=threshold))
    )
  }


def is_active(log_variances: np.ndarray, *, threshold: float = 0.8) -> np.ndarray:
  """Which latents are active: `[latents]` bool. Arguments: see `active_latents`."""
  check_positive("active_latents", threshold=threshold)
  variances = np.exp(np.asarray(log_variances, np.float64)).mean(axis=0)
  return variances < threshold
