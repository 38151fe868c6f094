"""Active units: how many latents vary with the data (Burda et al. 2016)."""

import numpy as np

from disentangle_tf.arguments import check_weight
from disentangle_tf.metrics.parts.contract import neither_is_better
from disentangle_tf.metrics.parts.points import check_codes


@neither_is_better("active_units")
def active_units(codes: np.ndarray, *, threshold: float = 0.01) -> dict[str, float]:
  """Number of latents whose means vary with the data.

  Args:
    codes: `[points, latents]` representation means.
    threshold: a latent is active if the variance of its means is above this.

  Returns:
    `{"active_units": float}`, from 0 to the number of latents. Neither direction is
    better; with fewer active latents than factors, some factors are not encoded. The
    score depends on the scale of the codes: the threshold is meant for a prior of
    variance 1.

  Needs no labels. Usually 10,000 points. Cost: O(points * latents).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> codes = np.array([[-1.0, 0.0, 3.0], [1.0, 0.0, 3.0]])  # two constant latents
    >>> metrics.active_units(codes)
    {'active_units': 1.0}

  Reference: Burda et al. 2016, "Importance Weighted Autoencoders", Section 5.1.
  """
  check_weight("active_units", threshold=threshold)
  variances = np.var(check_codes(codes), axis=0, dtype=np.float64)
  return {"active_units": float((variances > threshold).sum())}
