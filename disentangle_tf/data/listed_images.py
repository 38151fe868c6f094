"""The finite list of images that a set draws from, where points have several each."""

import dataclasses
from collections.abc import Callable

import numpy as np


@dataclasses.dataclass(frozen=True)
class ListedImages:
  """All the images that a set's observations are drawn from.

  Attributes:
    values: one column [images] per factor, with its value in every image: numbers, or
      whatever else the set's maker called them.
    observe: a function of int64 positions [count] in the list -> images [count, height,
      width, channels], float32 in [0, 1]. Works eagerly and inside a `tf.function`.
  """

  values: tuple[np.ndarray, ...]
  observe: Callable

  def __len__(self) -> int:
    """The number of images."""
    return len(self.values[0])
