"""`Observations`: drawn points, each with what a model made of one image."""

import collections.abc
import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Observations:
  """Points of a set, each seen in one image, and what a model made of it.

  Attributes:
    factors: int32 [points, factors].
    codes: [points, latents], the means.
    log_variances: [points, latents] of the same images; None if they are not known.
    reconstruct: a function without arguments -> (images, reconstructions), again of the
      same images; None if there is no decoder.
  """

  factors: np.ndarray
  codes: np.ndarray
  log_variances: np.ndarray | None = None
  reconstruct: collections.abc.Callable | None = None

  def __len__(self):
    """The number of points."""
    return len(self.factors)
