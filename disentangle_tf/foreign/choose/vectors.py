"""Whether a tensor holds one vector per image, as codes are, and how wide it is."""

import math


def is_vector(tensor):
  """Whether a `Tensor` is one vector per image, or of unknown shape and may be one."""
  shape = tensor.shape
  if shape is None or len(shape) == 2:
    return True
  return len(shape) == 4 and (shape[1:3] == (1, 1) or shape[2:4] == (1, 1))


def vector_width(tensor):
  """How many numbers it has per image; None if the shape does not tell."""
  if tensor.shape is None or None in tensor.shape[1:]:
    return None
  return math.prod(tensor.shape[1:])
