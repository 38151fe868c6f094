"""The finite list of images that a data set draws from: `ListedImages`."""

import dataclasses
from collections.abc import Callable

import numpy as np


@dataclasses.dataclass(frozen=True)
class ListedImages:
  """All images that a set's observations are drawn from.

  Attributes:
    values: one column [images] per factor with its value in every image; numbers,
      strings, or other values that can be sorted.
    observe: a function of int64 positions [count] in the list -> images [count, height,
      width, channels], float32 in [0, 1]. Works eagerly and inside a `tf.function`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> images = np.zeros([3, 8, 8, 1], np.uint8)
    >>> table = data.FactorTable(images, [["cat"], ["cat"], ["dog"]])
    >>> listed = table.listed_images()
    >>> isinstance(listed, data.ListedImages)
    True
    >>> listed.values[0].tolist()
    ['cat', 'cat', 'dog']
    >>> listed.observe([0, 2]).shape
    TensorShape([2, 8, 8, 1])
  """

  values: tuple[np.ndarray, ...]
  observe: Callable

  def __len__(self) -> int:
    """The number of images."""
    return len(self.values[0])
