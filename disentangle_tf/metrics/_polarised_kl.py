"""Polarised KL: how well the KL of the polarised regime approximates the KL."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics._active_latents import is_active
from disentangle_tf.metrics.parts.contract import lower_is_better
from disentangle_tf.metrics.parts.points import check_codes


@lower_is_better("polarised_kl_error")
def polarised_kl(
  codes: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """Relative error of the KL that leaves out the variances of active latents.

  In the polarised regime each latent of a VAE is either pruned or has a variance much
  smaller than minus its logarithm. The theory then approximates the KL 1/2 sum_j
  (mu_j^2 + sigma_j^2 - log sigma_j^2 - 1) by 1/2 sum_j (mu_j^2 - log sigma_j^2 - 1)
  over active latents.

  Args:
    codes, log_variances: `[points, latents]` means and log-variances of the posteriors.
    threshold: latents whose mean variance is not below this are pruned and left out of
      both.

  Returns:
    `{"polarised_kl_error": float}`: mean absolute difference of the two KLs, over the
    mean of the exact one; 0 or more, lower is better: the theory's assumption holds.
    The result is empty if all latents are pruned.

  Needs no labels. Usually 10,000 points. Cost: O(points * latents).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> codes = np.array([[1.0], [-1.0]])
    >>> scores = metrics.polarised_kl(codes, np.full((2, 1), -10.0))  # small variances
    >>> round(scores["polarised_kl_error"], 4)
    0.0
    >>> metrics.polarised_kl(codes, np.zeros((2, 1)))  # the only latent is pruned
    {}

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", equation 8 (which also leaves out the constant 1, as no minimum
  depends on it); Rolinek, Zietlow & Martius 2019 measure the error.
  """
  means = check_codes(codes).astype(np.float64)
  logarithms = np.asarray(log_variances, np.float64)
  if logarithms.shape != means.shape:
    raise UserError(
      f"the shapes of codes {means.shape} and log_variances {logarithms.shape} differ"
    )
  active = is_active(logarithms, threshold=threshold)
  if not active.any():
    return {}
  means, logarithms = means[:, active], logarithms[:, active]
  taken = 0.5 * np.sum(means**2 - logarithms - 1, axis=1)
  divergences = taken + 0.5 * np.exp(logarithms).sum(axis=1)
  error = np.mean(np.abs(divergences - taken)) / np.mean(divergences)
  return {"polarised_kl_error": float(error)}
