"""How to read a model, as far as the user says so by flags."""

import dataclasses
import math
import re

from disentangle_tf.errors import UserError

LAYOUTS = ("NHWC", "NCHW")
STANDARDISED = "standardised"
DECODER_OUTPUTS = ("logits", "probabilities", STANDARDISED)
_TRUTH_VALUES = {"true": True, "false": False}


@dataclasses.dataclass(frozen=True)
class Reading:
  """What the user forces; all else is found by looking.

  Args:
    signature: the signature that encodes.
    input_key: its input that takes images.
    output_key: its outputs, each "NAME" (the mean) or "ROLE=NAME" with ROLE one of
      mean, log_variance, variance, scale, log_scale; mean+log_variance and so on for
      both halves of one output; reconstruction.
    input_range: (lowest, highest) pixel value the model was trained on, or
      "standardised" for images with the data set's mean and standard deviation.
    layout: "NHWC" or "NCHW".
    resize: (height, width) to resize images to.
    inputs: ((name, number), ...), what goes into inputs that take no images.
    decoder: the signature that decodes, or SIGNATURE=OUTPUT.
    decoder_output: what it gives, one of `DECODER_OUTPUTS`; by default images in the
      input range.
  """

  signature: str | None = None
  input_key: str | None = None
  output_key: tuple = ()
  input_range: tuple | str | None = None
  layout: str | None = None
  resize: tuple | None = None
  inputs: tuple = ()
  decoder: str | None = None
  decoder_output: str | None = None

  @classmethod
  def from_flags(
    cls,
    *,
    signature,
    input_key,
    output_key,
    input_range,
    layout,
    resize,
    inputs,
    decoder,
    decoder_output,
  ):
    """The reading that text on the command line asks for."""
    if layout and layout.upper() not in LAYOUTS:
      raise UserError(f"--layout is {layout!r}: it must be NHWC or NCHW")
    if decoder_output and decoder_output not in DECODER_OUTPUTS:
      raise UserError(
        f"--decoder_output is {decoder_output!r}: it must be one of "
        f"{', '.join(DECODER_OUTPUTS)}"
      )
    return cls(
      signature=signature or None,
      input_key=input_key or None,
      output_key=tuple(output_key or ()),
      input_range=_range(input_range) if input_range else None,
      layout=layout.upper() if layout else None,
      resize=_sizes(resize) if resize else None,
      inputs=tuple(map(_input, inputs or ())),
      decoder=decoder or None,
      decoder_output=decoder_output or None,
    )

  @property
  def values(self):
    """{name of an input: number}."""
    return dict(self.inputs)

  @property
  def asks_for_standardisation(self):
    """Whether it takes the data set's mean and standard deviation."""
    return STANDARDISED in (self.input_range, self.decoder_output)


def _range(text):
  if text.strip() == STANDARDISED:
    return STANDARDISED
  parts = re.fullmatch(r"\s*([-+.\de]+)\s*,\s*([-+.\de]+)\s*", text)
  try:
    low, high = map(float, parts.groups())
  except (AttributeError, ValueError) as error:
    raise UserError(
      f"--input_range is {text!r}: write LOWEST,HIGHEST, such as --input_range=-1,1, "
      f"or {STANDARDISED}"
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


def _input(text):
  """(name, number) of NAME=VALUE; names may hold an equals sign, numbers do not."""
  name, equals, value = text.rpartition("=")
  try:
    number = _TRUTH_VALUES.get(value.lower())
    number = float(value) if number is None else number
  except ValueError:
    number = math.nan
  if not (name and equals and math.isfinite(number)):
    raise UserError(
      f"--input is {text!r}: write NAME=VALUE, a number, true or false, such as "
      "--input keep_prob=1"
    )
  return name, number
