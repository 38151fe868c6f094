"""How many rows of images a picture may have."""

import math

_MOST_ROWS = 32
_MOST_NUMBERS = 2**22  # in all images of a picture


def most_rows(image_shape, columns):
  """At most 32, fewer of large images, and at least one.

  Args:
    image_shape: (height, width, channels).
    columns: images per row.
  """
  numbers = columns * math.prod(image_shape)
  return min(max(_MOST_NUMBERS // numbers, 1), _MOST_ROWS)
