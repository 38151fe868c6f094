"""Decides what goes into each input of a function: images, codes or a constant."""

import math

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.call import Call
from disentangle_tf.foreign.choose.mismatch import mismatch
from disentangle_tf.strangers_text import printable

_WHOLE = ("int", "uint")


def make_call(offer, tensor, values, *, outputs=()):
  """The `Call` of an offer that feeds `tensor` with images or codes.

  Other inputs get the user's value, False if they are boolean, or the same array if
  their shape is the same; a `UserError` names those that are left.

  Args:
    offer: the `Offer`.
    tensor: the one of its inputs that the array goes into.
    values: {name of an input: number}, the user's.
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


def _ask_for(missing):
  names = ", ".join(map(str, missing))
  flags = " ".join(f"--input {printable(tensor.name)}=VALUE" for tensor in missing)
  return f"images do not go into its input {names}: give each a value with {flags}"


def _value_for(tensor, value):
  """The number as the input's type takes it."""
  said = f"--input {printable(tensor.name)}={value}"
  whole = math.isfinite(value) and value == int(value)
  if tensor.dtype == "bool" and value in (0, 1):
    return bool(value)
  if tensor.dtype.startswith(_WHOLE) and whole:
    return int(value)
  if "float" in tensor.dtype:
    return float(value)
  raise UserError(f"{said}: the input is {tensor}, which takes no such value")
