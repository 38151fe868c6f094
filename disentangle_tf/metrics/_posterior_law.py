"""Posterior law: whether the posteriors' variances follow from the decoder."""

import numpy as np

from disentangle_tf.metrics.parts.active_grams import active_grams
from disentangle_tf.metrics.parts.contract import higher_is_better, neither_is_better


@higher_is_better("posterior_law_correlation")
@neither_is_better("implied_beta")
def posterior_law(
  jacobians: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> dict[str, float]:
  """How well 1 / sigma_j^2 = 1 + 2 |J_j|^2 / beta holds, as for the best posterior.

  The law holds if the decoder is linear within a posterior and the loss is |Dec(z) -
  x|^2 + beta * KL, summed over pixels and latents. J is the Jacobian of the decoder at
  the mean. Pairs of a point and an active latent are left out if the variance is not
  below 1 or the latent moves no pixel.

  Args:
    jacobians: `[points, pixels, latents]` of the decoder at the posteriors' means.
    log_variances: `[points, latents]` of the posteriors at the same points.
    threshold: latents whose mean variance is not below this are pruned and left out.

  Returns:
    "posterior_law_correlation": correlation of ln(1 / sigma_j^2 - 1) with ln |J_j|^2
      over points and latents, in [-1, 1], higher is better; 0 if one of the two is
      constant.
    "implied_beta": median of 2 |J_j|^2 / (1 / sigma_j^2 - 1), 0 or more, neither is
      better. It is the beta of the loss above in the units of the given images.
      Training on standardised images divides beta by their variance; a loss of means
      has beta * latents / pixels. A Bernoulli likelihood weights pixels by 1 / (p (1 -
      p)) and has no factor 2, so the correlation is then more meaningful. For a
      deterministic encoder it is 0.
    The result is empty if no pair is left, for example if all latents are pruned.

  Needs no labels. Usually 500 points. Cost: O(points * pixels * latents^2).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> jacobian = np.array([[2.0, 0.0], [0.0, 1.0]])
    >>> beta = 0.5
    >>> variances = 1 / (1 + 2 * np.array([[4.0, 1.0]]) / beta)  # the law holds
    >>> scores = metrics.posterior_law(jacobian[None], np.log(variances))
    >>> {name: round(score, 6) for name, score in scores.items()}
    {'posterior_law_correlation': 1.0, 'implied_beta': 0.5}

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
  if min(np.ptp(first), np.ptp(second)) < 1e-6:  # constant apart from rounding
    return 0.0
  return float(np.corrcoef(first, second)[0, 1])
