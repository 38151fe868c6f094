"""Checks a model's answer: its width, and that every number is finite."""

import numpy as np

from disentangle_tf.errors import ModelError


def check_answer(found: np.ndarray, most: int) -> np.ndarray:
  """Return the answer, float32 [N, width], if it is finite and not too wide.

  Args:
    found: the model's answer.
    most: the largest width that is accepted.
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


def check_width(width: int, most: int) -> None:
  """Raise a `ModelError` if an answer has no numbers per image, or more than `most`."""
  if not 0 < width <= most:
    raise ModelError(f"the model gave {width} numbers per image, at most {most} fit")
