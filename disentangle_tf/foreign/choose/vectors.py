"""Tests whether a tensor holds one vector per image, as codes do, and its width."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
  from disentangle_tf.foreign.look.offer import Tensor


def is_vector(tensor: Tensor) -> bool:
  """Whether a `Tensor` holds one vector per image, or may: its shape is unknown."""
  shape = tensor.shape
  if shape is None or len(shape) == 2:
    return True
  return len(shape) == 4 and (shape[1:3] == (1, 1) or shape[2:4] == (1, 1))


def vector_width(tensor: Tensor) -> int | None:
  """The numbers per image; None if the shape does not determine them."""
  if tensor.shape is None:
    return None
  known = [size for size in tensor.shape[1:] if size is not None]
  return math.prod(known) if len(known) == len(tensor.shape[1:]) else None
