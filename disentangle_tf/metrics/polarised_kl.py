"""How well the KL of the polarised regime stands for the KL."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.active_latents import is_active
from disentangle_tf.metrics.parts.directions import lower_is_better
from disentangle_tf.metrics.parts.points import check_codes


@lower_is_better("polarised_kl_error")
def polarised_kl(
  codes: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """Relative error of the KL that leaves out the variances of active latents.

  Each latent of a VAE in the polarised regime is either pruned or of a small variance,
  much smaller than its -log. The theory then takes 1/2 sum_j (mu_j^2 - log sigma_j^2 -
  1) over active latents for the KL 1/2 sum_j (mu_j^2 + sigma_j^2 - log sigma_j^2 - 1).

  Args:
    codes, log_variances: [points, latents], the posteriors' means and log-variances.
    threshold: of the mean variance; latents above it are pruned and left out of both.

  Returns:
    {"polarised_kl_error": mean of the absolute difference of both KLs over the mean of
    the KL, from 0, lower is better: the theory's assumption holds}. Nothing at all if
    all latents are pruned.

  Needs no labels. Usually 10,000 points. Cost: O(points * latents).

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", equation 8 (which also leaves out the constant 1, as no minimum
  depends on it); Rolinek, Zietlow & Martius 2019 measure the error.
  """
  means = check_codes(codes).astype(np.float64)
  logarithms = np.asarray(log_variances, np.float64)
  if logarithms.shape != means.shape:
    raise UserError(f"codes {means.shape} and log_variances {logarithms.shape} differ")
  active = is_active(logarithms, threshold=threshold)
  if not active.any():
    return {}
  means, logarithms = means[:, active], logarithms[:, active]
  taken = 0.5 * np.sum(means**2 - logarithms - 1, axis=1)
  divergences = taken + 0.5 * np.exp(logarithms).sum(axis=1)
  error = np.mean(np.abs(divergences - taken)) / np.mean(divergences)
  return {"polarised_kl_error": float(error)}
