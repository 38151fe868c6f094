"""Checks that codes and factors are numbers which metrics can compute with."""

import numpy as np

from disentangle_tf.errors import ModelError

_RANGES = {
  "codes": (-1e15, 1e15),  # float32 holds the sum of many squares of such
  "log_variances": (-1e15, 80.0),
}


def check_scorable(name, values):
  """Raises a `ModelError` for numbers that no metric could make anything of.

  Args:
    name: "codes" or "log_variances".
    values: float32 [points, latents] of such.

  Returns:
    `values`.
  """
  least, most = _RANGES[name]
  fits = (values.min(axis=0) >= least) & (values.max(axis=0) <= most)  # NaN does not
  if not fits.all():
    raise ModelError(
      f"{name} of latent {np.argmin(fits)} are NaN, infinite or beyond {least:g} to "
      f"{most:g}"
    )
  return values
