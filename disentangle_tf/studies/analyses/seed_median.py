"""Medians over seeds, of which some may be missing."""

import numpy as np


def seed_median(values: np.ndarray) -> np.ndarray:
  """Median over the last axis without NaN: [...], NaN where all values are NaN.

  With an even number it is the mean of the middle two. Much faster than
  `numpy.nanmedian` on many short rows, such as those of a bootstrap.
  """
  values = np.sort(values, axis=-1)  # NaN come last
  counts = np.isfinite(values).sum(axis=-1)
  lower = np.maximum(counts - 1, 0) // 2
  pair = np.stack([lower, np.minimum(counts // 2, values.shape[-1] - 1)], axis=-1)
  return np.take_along_axis(values, pair, axis=-1).mean(axis=-1)
