"""Latent traversals: what each latent does to the image."""

import numpy as np
from scipy import stats

_SHARE = 0.95  # of the probability that quantiles span


def latent_traversal(
  decode, code, *, latents=None, num_values=9, limit=2.0, values=None
):
  """Images with one latent at a time moved through its values.

  Args:
    decode: codes [N, latents] -> images [N, height, width, channels].
    code: [latents], where the other latents stay.
    latents: positions of those to move, in the order of the rows; all by default.
    num_values, limit: how many values each latent takes, from -limit to limit; the
      prior's standard deviation is 1.
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
