"""Converts the spread beside a mean (variance, scale, ...) to log-variances."""

from collections.abc import Callable

import numpy as np

_TINY = np.finfo(np.float32).tiny

SPREADS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
  "log_variance": lambda x: x,
  "variance": lambda x: np.log(np.maximum(x, _TINY)),
  "scale": lambda x: 2 * np.log(np.maximum(x, _TINY)),
  "log_scale": lambda x: 2 * x,
}
