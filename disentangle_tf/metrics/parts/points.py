"""Checks of codes and factors, and binning them into classes."""

import numpy as np

from disentangle_tf.errors import UserError


def check_codes(codes: np.ndarray) -> np.ndarray:
  """Codes as a float array `[points, latents]`; a `UserError` if that is impossible.

  float32 stays float32; other numbers become float64.
  """
  codes = np.asarray(codes)
  if codes.ndim != 2:
    raise UserError(f"codes {codes.shape} must be [points, latents]")
  if not codes.size:
    raise UserError(f"there is nothing to score in codes of shape {codes.shape}")
  if codes.dtype.kind not in "buif":
    raise UserError(f"codes of type {codes.dtype} are not numbers")
  if codes.dtype not in (np.float32, np.float64):
    codes = codes.astype(np.float64)
  bad = np.flatnonzero(~np.isfinite(codes).all(axis=0))
  if len(bad):
    raise UserError(f"latent {bad[0]} has codes that are NaN or infinite")
  return codes


def check_points(
  codes: np.ndarray, factors: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
  """Codes and factors as checked arrays; a `UserError` if that is impossible.

  Factors become integers unless one of their values is not a whole number.
  """
  codes, factors = np.asarray(codes), np.asarray(factors)
  if codes.ndim == factors.ndim == 2 and len(codes) != len(factors):
    raise UserError(
      f"codes of {len(codes)} points and factors of {len(factors)} do not fit together"
    )
  if codes.ndim != 2 or factors.ndim != 2:
    raise UserError(
      f"codes {codes.shape} and factors {factors.shape} must be [points, latents] and "
      "[points, factors]"
    )
  codes = check_codes(codes)
  if not factors.size:
    raise UserError(f"there is nothing to score in factors of shape {factors.shape}")
  if factors.dtype.kind not in "buif":
    raise UserError(f"factors of type {factors.dtype} are not numbers")
  bad = np.flatnonzero(~np.isfinite(factors).all(axis=0))
  if len(bad):
    raise UserError(f"factor {bad[0]} has values that are NaN or infinite")
  if factors.dtype.kind == "b" or (factors.dtype.kind == "f" and _whole(factors)):
    factors = factors.astype(np.int64)
  return codes, factors


def discrete_points(
  codes: np.ndarray, factors: np.ndarray, *, num_bins: int
) -> tuple[np.ndarray, np.ndarray]:
  """Checked codes, and the varying factors as class numbers.

  Factors with a single value cannot be scored and are left out; a `UserError` if none
  varies.
  """
  codes, factors = check_points(codes, factors)
  classes = factor_classes(factors, num_bins=num_bins)
  return codes, classes[:, check_varying(classes)]


def check_varying(factors: np.ndarray) -> np.ndarray:
  """Positions of factors with more than one value; a `UserError` if there are none."""
  varying = np.flatnonzero(varying_columns(factors))
  if not len(varying):
    raise UserError("a score needs a factor that takes more than one value")
  return varying


def factor_classes(factors: np.ndarray, *, num_bins: int) -> np.ndarray:
  """Class numbers `[points, factors]` from 0 up, in the order of each factor's values.

  A continuous factor (more than `num_bins` values, not all whole numbers) is cut into
  `num_bins` bins of equal width over its range.
  """
  return np.stack([_classes(factor, num_bins) for factor in factors.T], axis=1)


def equal_width_bins(values: np.ndarray, num_bins: int) -> np.ndarray:
  """Bin number of each value over its column's range; the maximum is in the last bin.

  The bins are those of `numpy.histogram`, counted from 1.
  """
  return np.stack([np.digitize(v, _bin_edges(v, num_bins)) for v in values.T], axis=1)


def varying_columns(values: np.ndarray) -> np.ndarray:
  """Which columns take more than one value: `[columns]` bool."""
  return values.max(axis=0) > values.min(axis=0)


def _whole(values: np.ndarray) -> bool:
  return bool((values == np.rint(values)).all())


def _classes(factor: np.ndarray, num_bins: int) -> np.ndarray:
  values, classes = np.unique(factor, return_inverse=True)
  if len(values) <= num_bins or _whole(values):
    return classes
  bins = equal_width_bins(factor[:, None], num_bins)[:, 0]
  return np.unique(bins, return_inverse=True)[1]


def _bin_edges(values: np.ndarray, num_bins: int) -> np.ndarray:
  """Lower edges of NumPy's bins, in the codes' own precision if possible.

  The range of a collapsed latent may hold fewer float32 steps than there are bins.
  """
  for dtype in (values.dtype, np.float64):
    try:
      return np.histogram_bin_edges(values.astype(dtype), num_bins)[:-1]
    except ValueError:
      continue
  return values.min(keepdims=True)  # constant apart from rounding: one bin
