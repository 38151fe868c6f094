"""Checks a model's answer: its width, and that every number is finite."""

import numpy as np

from disentangle_tf.errors import ModelError


def check_answer(found, most):
  """The answer itself, float32 [N, width], if it is neither too wide nor infinite.

  Args:
    found: what the model gave.
    most: the largest width that is taken.
  """
  width = found.shape[1]
  check_width(width, most)
  if not np.isfinite(found).all():
    column = int(np.argwhere(~np.isfinite(found))[0, 1])
    raise ModelError(
      f"the model gave NaN or infinity (in number {column + 1} of the {width} it gives "
      "for an image)"
    )
  return found


def check_width(width, most):
  """Raises a `ModelError` unless so many numbers per image are taken."""
  if not 0 < width <= most:
    raise ModelError(f"the model gave {width} numbers per image, at most {most} fit")
