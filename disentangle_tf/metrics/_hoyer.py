"""Hoyer's sparsity of codes (Mathieu et al. 2019)."""

import numpy as np

from disentangle_tf.arguments import check_truth
from disentangle_tf.metrics.parts.contract import neither_is_better
from disentangle_tf.metrics.parts.points import check_codes, varying_columns


@neither_is_better("hoyer")
def hoyer(codes: np.ndarray, *, normalise: bool = True) -> dict[str, float]:
  """Mean over points of Hoyer's sparsity (sqrt(d) - |z|_1 / |z|_2) / (sqrt(d) - 1).

  Args:
    codes: `[points, latents]` representation means.
    normalise: divide each latent by its standard deviation first, as the authors' code
      does for their figures, so that collapsed latents do not count as sparsity.
      Constant latents are then left out. False is the formula in the paper.

  Returns:
    `{"hoyer": float}` in [0, 1]: 1 if each point uses a single latent, 0 if all latents
    are equal in size. Neither direction is better in general; higher is sparser. A
    Gaussian code of 10 latents scores about 0.25. A point at 0 uses no latent and
    counts as 1. With a single latent the score is 0.

  Needs no labels. Usually 10,000 points. Cost: O(points * latents).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import metrics
    >>> one_latent_each = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    >>> metrics.hoyer(one_latent_each)
    {'hoyer': 1.0}
    >>> scores = metrics.hoyer(np.ones((4, 2)), normalise=False)  # all of equal size
    >>> round(scores["hoyer"], 6)
    0.0

  Reference: Mathieu et al. 2019, "Disentangling Disentanglement in Variational
  Autoencoders", Section 6.3 and Appendix B, after Hurley & Rickard 2008, "Comparing
  Measures of Sparsity".
  """
  check_truth("hoyer", normalise=normalise)
  codes = check_codes(codes).astype(np.float64)
  if normalise:
    codes = codes[:, varying_columns(codes)]
    codes = codes / np.abs(codes).max(axis=0)  # keeps squares from underflowing
    codes = codes / codes.std(axis=0)
  count = codes.shape[1]
  if count < 2:
    return {"hoyer": 0.0}
  largest = np.abs(codes).max(axis=1, keepdims=True)
  codes = codes / np.where(largest > 0, largest, 1.0)
  sizes = np.linalg.norm(codes, axis=1)
  density = np.divide(
    np.abs(codes).sum(axis=1), sizes, out=np.ones(len(codes)), where=sizes > 0
  )
  sparsity = (np.sqrt(count) - density) / (np.sqrt(count) - 1)
  return {"hoyer": float(np.clip(sparsity, 0, 1).mean())}
