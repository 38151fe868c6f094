"""What each latent does to the image."""

import numpy as np
from scipy import stats

_SHARE = 0.95  # of the probability that quantiles span


def latent_traversal(decode, code, *, num_values=9, limit=2.0, values=None):
  """Images with one latent at a time moved through its values.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    code: [latents], where the other latents stay.
    num_values, limit: how many values a latent takes, from -limit to limit; the prior's
      standard deviation is 1.
    values: [latents, num_values], in place of these.

  Returns:
    [latents, num_values, height, width, channels].
  """
  code = np.asarray(code, np.float32)
  latents = len(code)
  if values is None:
    values = np.tile(np.linspace(-limit, limit, num_values), (latents, 1))
  codes = np.tile(code, (latents, values.shape[1], 1))
  for latent in range(latents):
    codes[latent, :, latent] = values[latent]
  images = np.asarray(decode(codes.reshape(-1, latents)))
  return images.reshape(latents, values.shape[1], *images.shape[1:])


def traversal_values(kind, codes, num_values=9):
  """Values [latents, num_values] to move each latent through.

  Args:
    kind: "prior" (quantiles of the standard normal, the middle 95 %), "fitted" (of a
      normal fitted to the codes) or "range" (evenly from the least to the largest).
    codes: [points, latents] of some images.
    num_values: how many.
  """
  codes = np.asarray(codes, np.float64)
  if kind == "range":
    return np.linspace(codes.min(axis=0), codes.max(axis=0), num_values, axis=1)
  edges = (1 - _SHARE) / 2
  quantiles = stats.norm.ppf(np.linspace(edges, 1 - edges, num_values))
  if kind == "prior":
    return np.tile(quantiles, (codes.shape[1], 1))
  return codes.mean(axis=0)[:, None] + codes.std(axis=0)[:, None] * quantiles


def most_used_first(codes, log_variances):
  """Latents by their KL from the standard normal, or by their spread: [latents]."""
  if log_variances is None:
    return np.argsort(-codes.std(axis=0))
  kl = 0.5 * (codes**2 + np.exp(log_variances) - 1 - log_variances).mean(axis=0)
  return np.argsort(-kl)
