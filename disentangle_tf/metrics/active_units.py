"""Active units: how many latents vary with the data (Burda et al. 2016)."""

import numpy as np

from disentangle_tf.argument_checks import check_weight
from disentangle_tf.metrics.parts.directions import neither_is_better
from disentangle_tf.metrics.parts.points import check_codes


@neither_is_better("active_units")
def active_units(codes: np.ndarray, *, threshold: float = 0.01) -> dict[str, float]:
  """How many latents say anything about the data.

  Args:
    codes: [points, latents] representation means.
    threshold: a latent is active if the variance of its means is above this.

  Returns:
    {"active_units": float, from 0 to the number of latents}. Neither way is better:
    with fewer than there are factors, some are not encoded. It depends on the scale of
    the codes; the threshold is for a prior of variance 1.

  Needs no labels. Usually 10,000 points. Cost: O(points * latents).

  Reference: Burda et al. 2016, "Importance Weighted Autoencoders", Section 5.1.
  """
  check_weight("active_units", threshold=threshold)
  variances = np.var(check_codes(codes), axis=0, dtype=np.float64)
  return {"active_units": float((variances > threshold).sum())}
