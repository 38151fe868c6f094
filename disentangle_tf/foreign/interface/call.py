"""One function of a foreign model, its inputs, and the picture it returns."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.interface.tensors import ImageFormat, mismatch
from disentangle_tf.foreign.scan.verdict import Tensor
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Mapping, Sequence
  from typing import Any

  from disentangle_tf.foreign.interface.tensors import FormatFinder
  from disentangle_tf.foreign.scan.verdict import Offer


@dataclasses.dataclass(frozen=True)
class Call:
  """A call of one function of a model.

  Attributes:
    signature: the name of the function.
    input: the `Tensor` that the array goes into.
    copies: names of further inputs that take the same array.
    constants: ((`Tensor`, number), ...), further inputs that are filled with a number.
    outputs: names of the outputs that are kept.
  """

  signature: str
  input: Tensor
  copies: tuple[str, ...] = ()
  constants: tuple[tuple[Tensor, float], ...] = ()
  outputs: tuple[str, ...] = ()

  @classmethod
  def from_json(cls, parts: Mapping[str, Any]) -> Call:
    """Make a call from `dataclasses.asdict` of one, also after a trip as JSON."""
    constants = [(_tensor(each), value) for each, value in parts["constants"]]
    return cls(
      parts["signature"],
      _tensor(parts["input"]),
      tuple(parts["copies"]),
      tuple(constants),
      tuple(parts["outputs"]),
    )

  def feeds(self, array: np.ndarray) -> dict[str, tuple[np.ndarray, str]]:
    """{input: (array, dtype)}: every input of the function, for `array` [N, ...]."""
    images = dict.fromkeys((self.input.name, *self.copies), (array, self.input.dtype))
    return images | {
      tensor.name: (np.full(_sizes(tensor, len(array)), value), tensor.dtype)
      for tensor, value in self.constants
    }


@dataclasses.dataclass(frozen=True)
class ImageSource:
  """A `Call` whose one output is images, and the `ImageFormat` they come in."""

  call: Call
  format: ImageFormat


def _tensor(parts: Mapping[str, Any]) -> Tensor:
  shape = parts["shape"]
  return Tensor(parts["name"], parts["dtype"], None if shape is None else tuple(shape))


def _sizes(tensor: Tensor, count: int) -> tuple[int, ...]:
  """The sizes to feed: `count` for an unknown first size, 1 for another one."""
  return tuple(
    size or (1 if place else count) for place, size in enumerate(tensor.shape or ())
  )


_WHOLE = ("int", "uint")


def make_call(
  offer: Offer,
  tensor: Tensor,
  values: Mapping[str, float],
  *,
  outputs: Sequence[str] = (),
) -> Call:
  """Make the `Call` of an offer that feeds `tensor` with images or codes.

  Another input gets the user's value, False if it is boolean, or the same array if its
  shape is the same. A `UserError` names the inputs that remain.

  Args:
    offer: the `Offer`.
    tensor: the input for the array.
    values: {name of an input: number}, stated by the user.
    outputs: names of the outputs to keep.
  """
  copies, constants, missing = [], [], []
  for other in offer.inputs:
    if other is tensor:
      continue
    if other.name in values:
      constants.append((other, _value_for(other, values[other.name])))
    elif other.dtype == "bool":
      constants.append((other, False))
    elif other.dtype == tensor.dtype and other.shape == tensor.shape:
      copies.append(other.name)
    else:
      missing.append(other)
  if missing:
    raise mismatch(_ask_for(missing), [offer])
  return Call(offer.name, tensor, tuple(copies), tuple(constants), tuple(outputs))


def _ask_for(missing: Sequence[Tensor]) -> str:
  names = ", ".join(map(str, missing))
  values = " ".join(f"{printable(tensor.name)}=VALUE" for tensor in missing)
  return (
    f"images do not go into its input {names}: give each a value in the argument "
    f"inputs: {values}"
  )


def _value_for(tensor: Tensor, value: float) -> float:
  """Convert a number to the type of the input."""
  said = f"input {printable(tensor.name)}={value}"
  whole = math.isfinite(value) and value == int(value)
  if tensor.dtype == "bool" and value in (0, 1):
    return bool(value)
  if tensor.dtype.startswith(_WHOLE) and whole:
    return int(value)
  if "float" in tensor.dtype:
    return float(value)
  raise UserError(f"{said}: the input is {tensor}, which takes no such value")


_SURE_WORDS = r"recon|decoded|x_?hat"
_LIKELY_WORDS = rf"{_SURE_WORDS}|image|picture|prob|mean|loc|mu\b|logit"


def choose_picture(
  offer: Offer,
  find_format: FormatFinder,
  named: str | None = None,
  *,
  argument: str,
  surely: bool = False,
) -> tuple[Tensor | None, tuple[str, ...]]:
  """Detect the output that holds images: (its `Tensor` or None, remarks).

  Args:
    offer: the `Offer`.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
    named: the output that the user named, or None.
    argument: how the user names it, for messages.
    surely: whether one output must hold images, so that one of unknown shape may.
  """
  if named is not None:
    for tensor in offer.outputs:
      if tensor.name == named and find_format(tensor):
        return tensor, ()
    raise mismatch(
      f"{printable(offer.name)} gives no images called {named!r} ({argument})", [offer]
    )
  found = [t for t in offer.outputs if is_picture(t, find_format, surely=surely)]
  if not found:
    return None, ()
  likely = [t for t in found if re.search(_LIKELY_WORDS, t.name.lower())] or found
  if len(likely) == 1:
    return likely[0], ()
  first, *others = (printable(tensor.name) for tensor in likely)
  remark = f"{first} used as the images, not {', '.join(others)}: see {argument}"
  return likely[0], (remark,)


def image_source(call: Call, picture: Tensor, find_format: FormatFinder) -> ImageSource:
  """The `ImageSource` of a call whose output is a chosen picture."""
  image_format = find_format(picture)
  assert image_format, "an output without the images' shape was chosen"
  return ImageSource(call, image_format)


def is_picture(
  tensor: Tensor, find_format: FormatFinder, *, surely: bool = False
) -> bool:
  """Whether a `Tensor` holds images, by its shape; if that is vague, by its name too.

  Args:
    tensor: the output.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
    surely: whether a vague shape is enough.
  """
  if "float" not in tensor.dtype and not tensor.dtype.startswith(("int", "uint")):
    return False
  image_format = find_format(tensor)
  if image_format is None:
    return False
  vague = tensor.shape is None or tensor.shape[1:] == (None,)
  if (vague or image_format.layout == "points") and not surely:
    return bool(re.search(_SURE_WORDS, tensor.name.lower()))
  return True
