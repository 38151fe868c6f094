"""Confidence interval of the mean of normal values with unknown variance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats


def t_interval(values: ArrayLike, *, level: float = 0.95) -> tuple[float, float | None]:
  """(mean, half width) of the interval mean +- t s / sqrt(n), with s of n - 1.

  Args:
    values: [n] finite numbers, at least one.
    level: of confidence.

  Returns:
    Two floats; the half width of a single value is None.

  Reference: Mathieu et al. 2019, figures 2 and 4.
  """
  values = np.asarray(values, float)
  n = len(values)
  if n < 2:
    return float(values[0]), None
  quantile = stats.t.ppf((1 + level) / 2, n - 1)
  return float(values.mean()), float(quantile * values.std(ddof=1) / np.sqrt(n))
