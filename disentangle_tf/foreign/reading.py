"""How to read a model, as far as its user says so."""

import dataclasses
import math
import re

from disentangle_tf.errors import UserError

LAYOUTS = ("NHWC", "NCHW")


@dataclasses.dataclass(frozen=True)
class Reading:
  """What the user forces; all else is found by looking.

  Args:
    signature: the signature that encodes.
    input_key: its input that takes images.
    output_key: its outputs, each "NAME" (the mean) or "ROLE=NAME" with ROLE one of
      mean, log_variance, variance, scale, log_scale.
    input_range: (lowest, highest) pixel value the model was trained on.
    layout: "NHWC" or "NCHW".
    resize: (height, width) to resize images to.
  """

  signature: str | None = None
  input_key: str | None = None
  output_key: tuple = ()
  input_range: tuple | None = None
  layout: str | None = None
  resize: tuple | None = None

  @classmethod
  def from_flags(cls, *, signature, input_key, output_key, input_range, layout, resize):
    """The reading that text on the command line asks for."""
    if layout and layout.upper() not in LAYOUTS:
      raise UserError(f"--layout is {layout!r}: it must be NHWC or NCHW")
    return cls(
      signature or None,
      input_key or None,
      tuple(output_key or ()),
      _range(input_range) if input_range else None,
      layout.upper() if layout else None,
      _sizes(resize) if resize else None,
    )


def _range(text):
  parts = re.fullmatch(r"\s*([-+.\de]+)\s*,\s*([-+.\de]+)\s*", text)
  try:
    low, high = map(float, parts.groups())
  except (AttributeError, ValueError) as error:
    raise UserError(
      f"--input_range is {text!r}: write LOWEST,HIGHEST, such as --input_range=-1,1"
    ) from error
  if not -math.inf < low < high < math.inf:
    raise UserError(f"--input_range is {text!r}: the first must be the lower one")
  return low, high


def _sizes(text):
  parts = re.fullmatch(r"(\d+)(?:x(\d+))?", text.strip())
  sizes = [int(size) for size in parts.groups() if size] if parts else [0]
  if 0 in sizes:
    raise UserError(f"--resize is {text!r}: write a size such as 64 or 64x48")
  return sizes[0], sizes[-1]
