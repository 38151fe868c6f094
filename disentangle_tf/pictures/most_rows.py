"""The greatest number of rows of images in a picture."""

import math
from collections.abc import Sequence

_MOST_ROWS = 32
_MOST_NUMBERS = 2**22  # in all images of a picture


def most_rows(image_shape: Sequence[int], columns: int) -> int:
  """How many rows of images a picture may have: at most 32, fewer of large images.

  Args:
    image_shape: (height, width, channels).
    columns: images per row.

  Returns:
    At least 1.

  Example:
    >>> from disentangle_tf import pictures
    >>> pictures.most_rows((64, 64, 3), 9), pictures.most_rows((512, 512, 3), 9)
    (32, 1)
  """
  numbers = columns * math.prod(image_shape)
  return min(max(_MOST_NUMBERS // numbers, 1), _MOST_ROWS)
