"""Checks of what a metric is given."""

import numpy as np

from disentangle_tf.errors import UserError


def check_points(codes, factors):
  """(codes, factors) as arrays, or a `UserError` that says what is wrong."""
  codes, factors = np.asarray(codes), np.asarray(factors)
  if codes.ndim != 2 or factors.ndim != 2 or len(codes) != len(factors):
    raise UserError(
      f"codes {codes.shape} and factors {factors.shape} must be [points, latents] and "
      "[points, factors]"
    )
  if not codes.size or not factors.size:
    raise UserError(f"there is nothing to score in codes of shape {codes.shape}")
  bad = np.flatnonzero(~np.isfinite(codes).all(axis=0))
  if len(bad):
    raise UserError(f"latent {bad[0]} has codes that are NaN or infinite")
  return codes, factors
