"""Jacobians of a decoder from its images alone, by finite differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

JACOBIAN_STEP = 0.01  # relative to the spread of a latent
_LEAST_STEP = 1e-5  # relative to the largest code, 100 times the rounding
_LEAST_SPREAD = 1e-6  # a constant latent has no scale of its own: the prior's is taken


def decoder_jacobians(
  decode: Callable[[np.ndarray], np.ndarray],
  codes: np.ndarray,
  log_variances: np.ndarray | None = None,
) -> np.ndarray:
  """Derivatives of each pixel by each latent, by central differences.

  A step is a hundredth of the latent's spread. The spread is 1 where the codes of all
  images together follow the prior, for active and for pruned latents. For a smooth
  decoder in float32 this balances both errors: a step h has an error of h^2 / 6 times
  the third derivative, which is 2e-5 times it, and a rounding error of about 1e-7 / h,
  which is 1e-5. Clipped pixels do not change, so pass a decoder that does not clip,
  such as `AskableModel.decode_unclipped`.

  Args:
    decode: codes [N, latents] -> means of the pixels [N, ...].
    codes: float32 [points, latents], where to differentiate.
    log_variances: [points, latents] of the posteriors there; None if not known.

  Returns:
    float32 [points, pixels, latents]. It takes 2 * latents decodings per point.
  """
  codes = np.asarray(codes, np.float32)
  columns = np.empty(0, np.float32)  # [latents, points, pixels], allocated once
  for latent, step in enumerate(_steps(codes, log_variances)):
    ahead, behind = codes.copy(), codes.copy()
    ahead[:, latent] += step
    behind[:, latent] -= step
    widths = ahead[:, latent] - behind[:, latent]  # after rounding
    change = (decode(ahead) - decode(behind)).reshape(len(codes), -1)
    if not columns.size:
      columns = np.empty((codes.shape[1], *change.shape), np.float32)
    columns[latent] = change / widths[:, None]
  return columns.transpose(1, 2, 0)


def _steps(codes: np.ndarray, log_variances: np.ndarray | None) -> np.ndarray:
  """Step of each latent, [latents], above 0."""
  variances = codes.var(axis=0, dtype=np.float64)
  if log_variances is not None:
    variances += np.exp(np.asarray(log_variances, np.float64)).mean(axis=0)
  spreads = np.sqrt(variances)
  spreads = np.where(spreads > _LEAST_SPREAD, spreads, 1.0)
  return np.maximum(JACOBIAN_STEP * spreads, _LEAST_STEP * np.abs(codes).max(axis=0))
