"""Active latents: how many posteriors are narrower than the prior (Zietlow et al.)."""

import numpy as np

from disentangle_tf.argument_checks import check_positive
from disentangle_tf.metrics.parts.directions import neither_is_better


@neither_is_better("active_latents_by_variance")
def active_latents(
  log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """How many latents are not pruned: those whose mean posterior variance is small.

  Args:
    log_variances: [points, latents] of the posteriors.
    threshold: of the mean variance, that of the prior being 1.

  Returns:
    {"active_latents_by_variance": float, from 0 to the number of latents}. Fewer than
    there are factors is over-pruned: such runs are left out of the paper's figures 5
    and 7 to 9. `active_units` asks the same of the means. All latents of a
    deterministic encoder count.

  Needs no labels. Usually 10,000 points. Cost: O(points * latents).

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 5.3.
  """
  return {
    "active_latents_by_variance": float(
      np.sum(is_active(log_variances, threshold=threshold))
    )
  }


def is_active(log_variances: np.ndarray, *, threshold: float = 0.8) -> np.ndarray:
  """[latents] bool, as of `active_latents`."""
  check_positive("active_latents", threshold=threshold)
  variances = np.exp(np.asarray(log_variances, np.float64)).mean(axis=0)
  return variances < threshold
