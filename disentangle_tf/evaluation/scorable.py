"""Checks that codes are numbers which metrics can process."""

from __future__ import annotations

import numpy as np

from disentangle_tf.errors import ModelError

_RANGES = {
  "codes": (-1e15, 1e15),  # the sum of many squares fits in float32
  "log_variances": (-1e15, 80.0),
}


def check_scorable(name: str, values: np.ndarray) -> np.ndarray:
  """Return `values`, or raise a `ModelError` if metrics cannot process them.

  Args:
    name: "codes" or "log_variances".
    values: float32 [points, latents].

  Returns:
    `values`.

  Raises:
    ModelError: if a number is NaN, infinite or too large.
  """
  least, most = _RANGES[name]
  fits = (values.min(axis=0) >= least) & (values.max(axis=0) <= most)  # NaN does not
  if not fits.all():
    raise ModelError(
      f"{name} of latent {np.argmin(fits)} are NaN, infinite or beyond {least:g} to "
      f"{most:g}"
    )
  return values
