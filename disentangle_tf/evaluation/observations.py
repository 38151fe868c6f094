"""`Observations`: drawn points, each with one image's code and reconstruction."""

from __future__ import annotations

import collections.abc
import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Observations:
  """Points of a data set, each with one image and the model's outputs for it.

  Attributes:
    factors: int32 [points, factors].
    codes: [points, latents], the means.
    log_variances: [points, latents] of the same images; None if they are not known.
    reconstruct: function without arguments -> (images, reconstructions) of the same
      images; None if there is no decoder.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import evaluation
    >>> factors = np.zeros((5, 2), np.int32)
    >>> len(evaluation.Observations(factors, codes=np.zeros((5, 3), np.float32)))
    5
  """

  factors: np.ndarray
  codes: np.ndarray
  log_variances: np.ndarray | None = None
  reconstruct: collections.abc.Callable | None = None

  def __len__(self) -> int:
    """The number of points."""
    return len(self.factors)
