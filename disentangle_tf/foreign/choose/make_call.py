"""Decides the content of each input of a function: images, codes or a constant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.call import Call
from disentangle_tf.foreign.choose.mismatch import mismatch
from disentangle_tf.strangers_text import printable

if TYPE_CHECKING:
  from collections.abc import Mapping, Sequence

  from disentangle_tf.foreign.look.offer import Offer, Tensor

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
