"""Jacobians of a decoder that can only be asked for images."""

import numpy as np

JACOBIAN_STEP = 0.01  # of the spread of a latent
_LEAST_STEP = 1e-5  # of the largest code: some 100 times what float32 rounds off
_LEAST_SPREAD = 1e-6  # a latent that never changes tells no scale but the prior's


def decoder_jacobians(decode, codes, log_variances=None):
  """How each pixel changes with each latent, by central differences.

  A step is a hundredth of the latent's spread, which is 1 where the codes of all images
  together are as the prior has them, of active latents and pruned ones. For a smooth
  decoder in float32 that is about where both errors meet: a step h leaves h^2 / 6 of
  the third derivative, 2e-5 of it, and rounding some 1e-7 / h, 1e-5. Where images are
  clipped to [0, 1] they do not change, so ask for the means of the pixels instead, as
  `AskableModel.decode_unclipped` gives them.

  Args:
    decode: codes [N, latents] -> means of the pixels [N, ...].
    codes: float32 [points, latents], where.
    log_variances: [points, latents] of the posteriors there; None if not known.

  Returns:
    float32 [points, pixels, latents]; 2 * latents decodings a point.
  """
  codes = np.asarray(codes, np.float32)
  columns = None  # [latents, points, pixels], allocated once: it may be large
  for latent, step in enumerate(_steps(codes, log_variances)):
    ahead, behind = codes.copy(), codes.copy()
    ahead[:, latent] += step
    behind[:, latent] -= step
    widths = ahead[:, latent] - behind[:, latent]  # as they are after rounding
    change = (decode(ahead) - decode(behind)).reshape(len(codes), -1)
    if columns is None:
      columns = np.empty((codes.shape[1], *change.shape), np.float32)
    columns[latent] = change / widths[:, None]
  return columns.transpose(1, 2, 0)


def _steps(codes, log_variances):
  """[latents], above 0."""
  variances = codes.var(axis=0, dtype=np.float64)
  if log_variances is not None:
    variances += np.exp(np.asarray(log_variances, np.float64)).mean(axis=0)
  spreads = np.sqrt(variances)
  spreads = np.where(spreads > _LEAST_SPREAD, spreads, 1.0)
  return np.maximum(JACOBIAN_STEP * spreads, _LEAST_STEP * np.abs(codes).max(axis=0))
