"""What each latent does to the image."""

import numpy as np
from scipy import stats

_SHARE = 0.95  # of the probability that quantiles span
_LEAST_KL = 0.01  # nats
_LEAST_SPREAD = 0.01  # of the largest
_DETERMINISTIC = -80.0  # exports of deterministic encoders have log-variances of -87.3


def latent_traversal(
  decode, code, *, latents=None, num_values=9, limit=2.0, values=None
):
  """Images with one latent at a time moved through its values.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    code: [latents], where the other latents stay.
    latents: positions of those to move, in the order of the rows; all by default.
    num_values, limit: how many values a latent takes, from -limit to limit; the prior's
      standard deviation is 1.
    values: [latents, num_values], in place of these.

  Returns:
    [latents to move, num_values, height, width, channels].
  """
  code = np.asarray(code, np.float32)
  moved = range(len(code)) if latents is None else latents
  if values is None:
    values = np.tile(np.linspace(-limit, limit, num_values), (len(code), 1))
  codes = np.tile(code, (len(moved), values.shape[1], 1))
  for row, latent in enumerate(moved):
    codes[row, :, latent] = values[latent]
  images = np.asarray(decode(codes.reshape(-1, len(code))))
  return images.reshape(len(moved), values.shape[1], *images.shape[1:])


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
  return np.argsort(-latent_use(codes, log_variances)[0], kind="stable")


def dead_latents(codes, log_variances):
  """Which latents say next to nothing about the image: [latents] bool.

  Those of a KL below 0.01 nats; if it is not known, those whose codes spread less than
  a hundredth as far as those of the latent that spreads farthest.
  """
  use, least = latent_use(codes, log_variances)
  return use < least


def is_deterministic(log_variances):
  """Whether these are what the export of a deterministic encoder gives."""
  return np.max(log_variances) < _DETERMINISTIC


def latent_use(codes, log_variances):
  """(how much each latent is used [latents], the least use that is not none).

  The mean KL from the standard normal in nats, or, where no log-variances are known or
  the encoder is deterministic, the standard deviation of the codes.

  Args:
    codes: [points, latents].
    log_variances: the same, or None.
  """
  codes = np.asarray(codes, np.float64)
  if log_variances is None or is_deterministic(log_variances):
    spread = codes.std(axis=0)
    return spread, _LEAST_SPREAD * spread.max()
  log_variances = np.asarray(log_variances, np.float64)
  kl = 0.5 * (codes**2 + np.exp(log_variances) - 1 - log_variances).mean(axis=0)
  return kl, _LEAST_KL
