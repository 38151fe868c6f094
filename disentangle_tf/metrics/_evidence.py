"""Evidence lower bound (ELBO) of a VAE, its KL and its reconstruction error."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.parts.contract import higher_is_better, lower_is_better
from disentangle_tf.metrics.parts.points import check_codes


@higher_is_better("elbo")
@lower_is_better("reconstruction_error", "kl", "reconstruction_nats")
def evidence(
  codes: np.ndarray,
  log_variances: np.ndarray,
  *,
  images: np.ndarray | None = None,
  reconstructions: np.ndarray | None = None,
  log_likelihoods: np.ndarray | None = None,
  divergences: np.ndarray | None = None,
) -> dict[str, float]:
  """Reconstruction error, KL from the prior, and evidence lower bound (ELBO).

  Args:
    codes, log_variances: `[points, latents]` means and log-variances of the posteriors.
    images, reconstructions: `[points, height, width, channels]` in [0, 1]. The
      reconstructions are decoded from the posteriors' means. None without a decoder.
    log_likelihoods: `[points]`, log p(x|z) of each image in nats under the model's own
      likelihood, at a code z drawn from its posterior. None if the likelihood is
      unknown. For a likelihood of standardised images it is their density, as in
      training.
    divergences: `[points]`, KL of each posterior from the model's prior in nats, or an
      unbiased estimate of it. None computes the KL from the standard normal.

  Returns:
    "kl": nats per image, summed over latents; lower is better at equal reconstructions.
    "reconstruction_error", with a decoder: mean squared error per pixel of the
      reconstructions, lower is better.
    "reconstruction_nats", with a likelihood: mean of -log p(x|z) per image, lower is
      better.
    "elbo", with a likelihood: nats per image, higher is better.
    The KL of a deterministic encoder has no meaning: its log-variances of -87 make it
    huge.

  Needs no labels. Usually 1,000 points. Cost: O(points * pixels).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> codes = np.array([[1.0], [-1.0]])
    >>> metrics.evidence(codes, np.zeros((2, 1)))  # posteriors N(1, 1) and N(-1, 1)
    {'kl': 0.5}

  Reference: Kingma & Welling 2014, "Auto-Encoding Variational Bayes".
  """
  means, scores = check_codes(codes), {}
  if divergences is None:
    divergences = _standard_normal_divergences(means, log_variances)
  if reconstructions is not None:
    scores["reconstruction_error"] = _squared_error(images, reconstructions, means)
  scores["kl"] = float(np.mean(divergences))
  if log_likelihoods is not None:
    scores["reconstruction_nats"] = float(-np.mean(log_likelihoods))
    scores["elbo"] = float(np.mean(np.subtract(log_likelihoods, divergences)))
  return scores


def _squared_error(
  images: np.ndarray | None, given: np.ndarray, means: np.ndarray
) -> float:
  images = np.asarray(images)
  if images.shape != np.shape(given) or len(images) != len(means):
    raise UserError(
      f"images {images.shape} and reconstructions {np.shape(given)} must have the same "
      f"shape, and as many points as codes {means.shape}"
    )
  return float(np.mean((images - given) ** 2, dtype=np.float64))


def _standard_normal_divergences(
  means: np.ndarray, log_variances: np.ndarray
) -> np.ndarray:
  variances = np.exp(log_variances, dtype=np.float64)
  terms = means**2 + variances - 1 - log_variances
  return 0.5 * terms.sum(axis=1, dtype=np.float64)
