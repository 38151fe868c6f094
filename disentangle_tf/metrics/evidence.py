"""How well a VAE models its images: reconstruction error, KL and the evidence bound."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics.points import check_codes

_LIKELIHOODS = ("bernoulli", "normal")
_EPSILON = 1e-6  # keeps a pixel that is surely 0 or 1 from an infinite loss


def evidence(images, reconstructions, codes, log_variances, *, likelihood="bernoulli"):
  """Reconstruction error, KL from the standard normal, and the evidence lower bound.

  Args:
    images, reconstructions: [points, height, width, channels] in [0, 1]; the latter
      decoded from the posteriors' means.
    codes, log_variances: [points, latents] of the posteriors.
    likelihood: "bernoulli" with the reconstructions as probabilities, or "normal" of
      variance 1 around them.

  Returns:
    {"reconstruction_error": mean squared error a pixel, lower is better; "kl": in nats
    an image, summed over latents; "elbo": in nats an image, higher is better}. The
    bound takes the posteriors' means in place of draws, which flatters it. A
    deterministic encoder has no KL to speak of: its log-variances of -87 make it huge.

  Needs no labels. Usually 1,000 points. Cost: O(points * pixels).

  Reference: Kingma & Welling 2014, "Auto-Encoding Variational Bayes".
  """
  if likelihood not in _LIKELIHOODS:
    raise UserError(f"evidence.likelihood is {likelihood!r}: bernoulli or normal")
  means, images, given = check_codes(codes), np.asarray(images), reconstructions
  if images.shape != np.shape(given) or len(images) != len(means):
    raise UserError(
      f"images {images.shape} and reconstructions {np.shape(given)} must be as many as "
      f"the codes {means.shape}, and of one shape"
    )
  squared = _per_image((images - given) ** 2)
  variances = np.exp(log_variances, dtype=np.float64)
  kl = 0.5 * np.sum(means**2 + variances - 1 - log_variances, axis=1, dtype=np.float64)
  log_likelihood = _log_likelihood(images, given, squared, likelihood)
  return {
    "reconstruction_error": float(squared.mean() / images[0].size),
    "kl": float(kl.mean()),
    "elbo": float(np.mean(log_likelihood - kl)),
  }


def _log_likelihood(images, reconstructions, squared, likelihood):
  """Of each image, in nats."""
  if likelihood == "normal":
    return -0.5 * (squared + images[0].size * np.log(2 * np.pi))
  given = np.clip(np.asarray(reconstructions, np.float64), _EPSILON, 1 - _EPSILON)
  return _per_image(images * np.log(given) + (1 - images) * np.log1p(-given))


def _per_image(values):
  return np.sum(values.reshape(len(values), -1), axis=1, dtype=np.float64)
