"""Converts what comes beside a mean (variance, scale, ...) to log-variances."""

import numpy as np

_TINY = np.finfo(np.float32).tiny

SPREADS = {
  "log_variance": lambda x: x,
  "variance": lambda x: np.log(np.maximum(x, _TINY)),
  "scale": lambda x: 2 * np.log(np.maximum(x, _TINY)),
  "log_scale": lambda x: 2 * x,
}
