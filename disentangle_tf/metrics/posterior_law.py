"""How well posteriors' variances follow from the decoder, and the beta that implies."""

import numpy as np

from disentangle_tf.metrics.parts.active_grams import active_grams
from disentangle_tf.metrics.parts.directions import higher_is_better, neither_is_better


@higher_is_better("posterior_law_correlation")
@neither_is_better("implied_beta")
def posterior_law(
  jacobians: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """Whether 1 / sigma_j^2 = 1 + 2 |J_j|^2 / beta, as the best posterior has it.

  So it is where the decoder is linear within a posterior, with the loss |Dec(z) - x|^2
  + beta KL, sums over pixels and latents, and J the Jacobian of the decoder at the
  mean. Pairs of a point and an active latent where the variance is not below 1, or
  where the latent does nothing, are left out.

  Args:
    jacobians: [points, pixels, latents] of the decoder at the posteriors' means.
    log_variances: [points, latents] of the posteriors there.
    threshold: of the mean variance; latents above it are pruned and left out.

  Returns:
    {"posterior_law_correlation": correlation of ln(1 / sigma_j^2 - 1) with ln |J_j|^2
    over points and latents, from -1 to 1, higher is better; 0 if one of them does not
    vary;
    "implied_beta": median of 2 |J_j|^2 / (1 / sigma_j^2 - 1), from 0, neither is
    better. It is the beta of that loss in the units of the images that are given:
    training on standardised images divides it by their variance, and a loss of means
    has beta * latents / pixels. A Bernoulli likelihood weighs pixels by 1 / (p (1 - p))
    and has no 2, so that there the correlation says more. A deterministic encoder has
    0}. Nothing at all if no pair is left, such as when all latents are pruned.

  Needs no labels. Usually 500 points. Cost: O(points * pixels * latents^2).

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", equations 4 and 5, at the best sigma; Lucas et al. 2019, "Don't Blame
  the ELBO!", for linear decoders.
  """
  grams, active = active_grams(jacobians, log_variances, threshold=threshold)
  squares = np.diagonal(grams, axis1=1, axis2=2)
  excess = np.expm1(-np.asarray(log_variances, np.float64)[:, active])
  told = (squares > 0) & (excess > 0)
  squares, excess = squares[told], excess[told]
  if not squares.size:
    return {}
  return {
    "posterior_law_correlation": _correlation(np.log(excess), np.log(squares)),
    "implied_beta": float(np.median(2 * squares / excess)),
  }


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
  if min(np.ptp(first), np.ptp(second)) < 1e-6:  # constant but for rounding
    return 0.0
  return float(np.corrcoef(first, second)[0, 1])
