"""What the user states about the interface of a model."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError

if TYPE_CHECKING:
  from collections.abc import Sequence

LAYOUTS = ("NHWC", "NCHW")
STANDARDISED = "standardised"
DECODER_OUTPUTS = ("logits", "probabilities", STANDARDISED)
_TRUTH_VALUES = {"true": True, "false": False}


@dataclasses.dataclass(frozen=True)
class Reading:
  """What the user states about a foreign model; everything else is detected.

  Args:
    signature: name of the signature that encodes.
    input_key: name of its input for images.
    output_key: names of its outputs, each "NAME" (the mean) or "ROLE=NAME". ROLE is
      mean, log_variance, variance, scale or log_scale; mean+log_variance and so on for
      both halves of one output; or reconstruction.
    input_range: (lowest, highest) pixel value that the model was trained on, or
      "standardised" for images with the data set's mean and standard deviation removed.
    layout: "NHWC" or "NCHW".
    resize: (height, width) to which images are resized.
    inputs: ((name, number), ...) for inputs that do not take images.
    decoder: name of the signature that decodes, or "SIGNATURE=OUTPUT".
    decoder_output: the kind of its output: "logits", "probabilities" or "standardised";
      None for images in the input range.

  Example:
    >>> from disentangle_tf import foreign
    >>> reading = foreign.Reading(output_key=("mean+log_variance=z",))
    >>> reading.asks_for_standardisation
    False
  """

  signature: str | None = None
  input_key: str | None = None
  output_key: tuple[str, ...] = ()
  input_range: tuple[float, float] | str | None = None
  layout: str | None = None
  resize: tuple[int, int] | None = None
  inputs: tuple[tuple[str, float], ...] = ()
  decoder: str | None = None
  decoder_output: str | None = None

  @classmethod
  def from_flags(
    cls,
    *,
    signature: str | None,
    input_key: str | None,
    output_key: Sequence[str] | None,
    input_range: str | None,
    layout: str | None,
    resize: str | None,
    inputs: Sequence[str] | None,
    decoder: str | None,
    decoder_output: str | None,
  ) -> Reading:
    """Make a reading from text, as flags of a command hold it."""
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
  def values(self) -> dict[str, float]:
    """{name of an input: number} of `inputs`."""
    return dict(self.inputs)

  @property
  def asks_for_standardisation(self) -> bool:
    """Whether it needs the data set's mean and standard deviation."""
    return STANDARDISED in (self.input_range, self.decoder_output)


def _range(text: str) -> tuple[float, float] | str:
  if text.strip() == STANDARDISED:
    return STANDARDISED
  parts = re.fullmatch(r"\s*([-+.\de]+)\s*,\s*([-+.\de]+)\s*", text)
  try:
    low, high = map(float, parts.groups() if parts else ())
  except ValueError as error:
    raise UserError(
      f"--input_range is {text!r}: write LOWEST,HIGHEST, such as --input_range=-1,1, "
      f"or {STANDARDISED}"
    ) from error
  if not -math.inf < low < high < math.inf:
    raise UserError(f"--input_range is {text!r}: the first must be the lower one")
  return low, high


def _sizes(text: str) -> tuple[int, int]:
  parts = re.fullmatch(r"(\d+)(?:x(\d+))?", text.strip())
  sizes = [int(size) for size in parts.groups() if size] if parts else [0]
  if 0 in sizes:
    raise UserError(f"--resize is {text!r}: write a size such as 64 or 64x48")
  return sizes[0], sizes[-1]


def _input(text: str) -> tuple[str, float]:
  """(name, number) of NAME=VALUE; a name may contain an equals sign."""
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
