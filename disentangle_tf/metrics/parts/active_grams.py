"""Gram matrices of a Jacobian's columns: how active latents move the pixels."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.metrics._active_latents import is_active
from disentangle_tf.metrics.parts.contract import check_time


def active_grams(
  jacobians: np.ndarray, log_variances: np.ndarray, *, threshold: float = 0.8
) -> tuple[np.ndarray, np.ndarray]:
  """Gram matrix G = J^T J of the active latents' columns of J at each point.

  Args:
    jacobians: `[points, pixels, latents]` of the decoder.
    log_variances: `[points, latents]` of the posteriors at the same points.
    threshold: see `active_latents`.

  Returns:
    (float64 `[points, active latents, active latents]`, `[latents]` bool: which latents
    are active).
  """
  jacobians, log_variances = np.asarray(jacobians), np.asarray(log_variances)
  if jacobians.ndim != 3 or not jacobians.size:
    raise UserError(
      f"jacobians have the shape {jacobians.shape}: it must be [points, pixels, "
      "latents]"
    )
  if log_variances.shape != (len(jacobians), jacobians.shape[2]):
    raise UserError(
      f"log_variances {log_variances.shape} must be [points, latents] of the jacobians "
      f"{jacobians.shape}"
    )
  for name, given in (("jacobians", jacobians), ("log_variances", log_variances)):
    if not np.isfinite(given).all():
      raise UserError(f"{name} contain values that are not finite")
  active = is_active(log_variances, threshold=threshold)
  # Point by point, because float64 copies of all points need twice the memory.
  return np.stack([_gram(jacobian[:, active]) for jacobian in jacobians]), active


def _gram(columns: np.ndarray) -> np.ndarray:
  check_time()
  columns = columns.astype(np.float64)
  return columns.T @ columns
