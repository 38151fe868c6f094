"""Tensors that hold a vector an image, as codes are."""

import math


def is_vector(tensor):
  """Whether a `Tensor` is a vector an image, or may be one, being of unknown shape."""
  shape = tensor.shape
  if shape is None or len(shape) == 2:
    return True
  return len(shape) == 4 and (shape[1:3] == (1, 1) or shape[2:4] == (1, 1))


def vector_width(tensor):
  """How many numbers it has an image; None if the shape does not tell."""
  if tensor.shape is None or None in tensor.shape[1:]:
    return None
  return math.prod(tensor.shape[1:])
