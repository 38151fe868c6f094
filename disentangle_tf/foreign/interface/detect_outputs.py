"""Detects which outputs of the encoder are the mean, its spread, and an image."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.interface.call import choose_picture, is_picture
from disentangle_tf.foreign.interface.interface import SPREADS
from disentangle_tf.foreign.interface.tensors import is_vector, mismatch, vector_width
from disentangle_tf.foreign.scan.verdict import Tensor
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Mapping, Sequence

  from disentangle_tf.foreign.interface.tensors import FormatFinder
  from disentangle_tf.foreign.scan.verdict import Offer

_BOTH = {f"mean+{spread}": spread for spread in SPREADS}  # side by side in one output
_ROLES = ("mean", *SPREADS, *_BOTH, "reconstruction")
_ARGUMENT = "output_key reconstruction=NAME"
_SURE_MEANS = ("mean", "mu", "loc")
_SPREAD_WORDS = r"var|sigma|std|scale|sd$"
_WORDS_FOR_BOTH = ("moments", "params", "parameters", "statistics", "stats")
_WORDS_FOR_BOTH += ("posterior", "distribution", "gaussian")


@dataclasses.dataclass(frozen=True)
class Outputs:
  """The outputs of the encoder that are used.

  Attributes:
    codes: names of the outputs with the mean and its spread; one if they share it.
    spread: the kind of spread beside the mean, a key of `SPREADS`, or None.
    latents: their number; None if the shapes do not determine it.
    is_a_guess: whether another output or an image may be the mean.
    picture: the `Tensor` that is a reconstruction, or None.
    picture_is_named: whether the user named it.
    picture_remarks, remarks: assumptions, one line each.
    doubts: what may be wrong, one line each.
  """

  codes: tuple[str, ...]
  spread: str | None
  latents: int | None
  is_a_guess: bool
  picture: Tensor | None
  picture_is_named: bool
  picture_remarks: tuple[str, ...]
  remarks: tuple[str, ...]
  doubts: tuple[str, ...]


def choose_outputs(
  offer: Offer,
  offers: Sequence[Offer],
  output_key: Sequence[str],
  find_format: FormatFinder,
) -> Outputs:
  """Detect the `Outputs` of an offer.

  Args:
    offer: the one that encodes.
    offers: all of them, for errors.
    output_key: of the user's `Reading`.
    find_format: the `ImageFormat` of a `Tensor` that has the images' shape, or None.
  """
  roles: dict[str, str] = dict(map(_role_and_name, output_key))
  remarks: list[str] = []
  named = roles.pop("reconstruction", None)
  vectors = {tensor.name: tensor for tensor in offer.outputs if may_be_codes(tensor)}
  for name in roles.values():
    if name not in vectors:
      called = printable(offer.name)
      raise mismatch(f"{called} has no vector {name!r} (argument output_key)", offers)
  if not roles:
    # Flat images are vectors, too; they count as codes only if nothing else does.
    others = [name for name, t in vectors.items() if not is_picture(t, find_format)]
    roles, remarks = _roles_by_name(others or list(vectors), offer)
  codes, spread = _codes(roles)
  is_a_guess = bool(remarks) and vectors[codes[0]].shape is None
  width = vector_width(vectors[codes[0]])
  doubts = () if spread else _doubts(codes[0], width)
  if width and spread and len(codes) == 1:
    width //= 2
  left = [tensor for tensor in offer.outputs if tensor.name not in codes]
  picture, of_picture = choose_picture(
    dataclasses.replace(offer, outputs=tuple(left)),
    find_format,
    named,
    argument=_ARGUMENT,
  )
  return Outputs(
    codes=codes,
    spread=spread,
    latents=width,
    is_a_guess=is_a_guess,
    picture=picture,
    picture_is_named=named is not None,
    picture_remarks=of_picture,
    remarks=tuple(remarks),
    doubts=doubts,
  )


def may_be_codes(tensor: Tensor) -> bool:
  """Whether an output may hold codes: real numbers, one vector per image."""
  return "float" in tensor.dtype and is_vector(tensor)


def _role_and_name(text: str) -> tuple[str, str]:
  role, equals, name = text.partition("=")
  if not equals:
    return "mean", text
  if role not in _ROLES:
    raise UserError(f"output_key {text}: {role!r} is none of {', '.join(_ROLES)}")
  return role, name


def _codes(roles: Mapping[str, str]) -> tuple[tuple[str, ...], str | None]:
  """(names of outputs, role of what comes with the mean or None)."""
  for role, spread in _BOTH.items():
    if role in roles:
      return (roles[role],), spread
  if "mean" not in roles:
    raise UserError("output_key names no mean: add output_key NAME")
  spread = next((role for role in SPREADS if role in roles), None)
  return (roles["mean"],) + ((roles[spread],) if spread else ()), spread


def _roles_by_name(
  names: Sequence[str], offer: Offer
) -> tuple[dict[str, str], list[str]]:
  """({role: name}, remarks); a `UserError` if the names do not determine the mean."""
  if not names:
    raise mismatch(f"{printable(offer.name)} gives no vector of codes", [offer])
  if len(names) == 1:
    return {"mean": names[0]}, []
  guesses = {name: _role_by_name(name) for name in names}
  means = [n for n in names if guesses[n] == "mean"]
  open_ones = [n for n in names if guesses[n] is None]
  roles = {role: n for n, role in guesses.items() if role in SPREADS}
  if len(means) == 1 or (not means and len(open_ones) == 1):
    return {"mean": (means or open_ones)[0], **roles}, []
  numbered = sorted(open_ones, key=_numbers)
  if not means and not roles and len(set(map(_family, numbered))) == 1:
    first, *others = map(printable, numbered)
    remark = (
      f"{first} used as the mean, {', '.join(others)} not used: say what they are "
      "with output_key ROLE=NAME"
    )
    return {"mean": numbered[0]}, [remark]
  raise mismatch(
    "several outputs may be the mean: choose with the argument output_key", [offer]
  )


def _role_by_name(name: str) -> str | None:
  """The role that the name of an output suggests, or None."""
  text = re.sub(r"[^a-z0-9]", "", name.lower())
  if text.endswith(("mean", "mu")):
    return "mean"
  if re.search(r"var|sigma2|sigmasq", text):
    return "log_variance" if "log" in text else "variance"
  if re.search(_SPREAD_WORDS, text):
    return "log_scale" if "log" in text else "scale"
  parts = re.split(r"[^a-z]+", name.lower())
  return "mean" if any(part in _SURE_MEANS for part in parts) else None


def _family(name: str) -> str:
  """A name without its numbers: PyTorch calls outputs getitem, getitem_1, getitem_2."""
  return re.sub(r"[_:.]?\d+", "", name)


def _numbers(name: str) -> list[tuple[int, str]]:
  """Sort key of names of one family; the numbers stay texts, whatever their length."""
  found = (number.lstrip("0") for number in re.findall(r"\d+", name))
  return [(len(number), number) for number in found]


def _doubts(name: str, width: int | None) -> tuple[str, ...]:
  """A line if the name of the only code suggests a mean and its spread in one."""
  words = re.split(r"[^a-z]+", name.lower())
  mean = any(word.startswith(_SURE_MEANS) for word in words)
  spread = re.search(_SPREAD_WORDS, name.lower())
  both = spread if mean else any(word in _WORDS_FOR_BOTH for word in words)
  if (width or 0) % 2 or not both:
    return ()
  return (doubt_of_both(name, "sounds like"),)


def doubt_of_both(name: str, why: str) -> str:
  """The line for codes that may be a mean and its spread, with the flag to use."""
  shown = printable(name)
  return (
    f"{shown} {why} a mean and a log-variance side by side, and was used as the mean "
    f"alone: if so, add output_key mean+log_variance={shown}"
  )
