"""Checks of the types and sizes of a manifest's fields, which are not trusted."""

import re
from collections.abc import Callable
from typing import Any

_MOST_WHOLE = 2**63 - 1  # the largest that TensorBoard can log
_LONGEST_NAME = 1_000
_MOST_NAMES = 10_000
_DEEPEST = 20  # lists within lists
_LARGEST = 1e30
_MOST_NUMBERS = 2**16  # in the description of the model, part of which is computed


def check_manifest(manifest: dict) -> None:
  """Raise a `ValueError` that names the first field of a wrong type or size.

  Absent fields and unknown fields are not checked.
  """
  if not _is_flat(manifest, _DEEPEST):
    raise ValueError(f"it is more than {_DEEPEST} levels deep")
  for field, fits in _FIELDS.items():
    if field in manifest and not fits(manifest[field]):
      raise ValueError(f"its {field} is not as an export writes it")


def count_numbers(value: Any) -> int:
  """Number of single values in nested lists and dictionaries."""
  if isinstance(value, dict):
    value = list(value.values())
  return sum(map(count_numbers, value)) if isinstance(value, list) else 1


def is_number(value: Any) -> bool:
  """Whether it is a finite number within the range of float32."""
  return type(value) in (int, float) and abs(value) <= _LARGEST


def _is_flat(value: Any, deepest: int) -> bool:
  parts = value.values() if isinstance(value, dict) else value
  if not isinstance(value, dict | list):
    return True
  return deepest > 0 and all(_is_flat(part, deepest - 1) for part in parts)


def _whole(value: Any) -> bool:
  return type(value) is int and 0 <= value <= _MOST_WHOLE


def _text(value: Any) -> bool:
  return isinstance(value, str)


def _name(value: Any) -> bool:
  return isinstance(value, str) and len(value) <= _LONGEST_NAME


def _names(value: Any) -> bool:
  return (
    isinstance(value, list) and len(value) <= _MOST_NAMES and all(map(_name, value))
  )


def _named(value: Any) -> bool:
  return (
    isinstance(value, dict) and len(value) <= _MOST_NAMES and all(map(_name, value))
  )


def _hash(value: Any) -> bool:
  return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _class_and_arguments(value: Any) -> bool:
  """Arguments may be null: of classes of other packages only the name is recorded."""
  if not isinstance(value, dict) or not _name(value.get("class")):
    return False
  arguments = value.get("arguments")
  return arguments is None or _named(arguments)


def _model(value: Any) -> bool:
  if value is None:
    return True
  return _class_and_arguments(value) and _parts_described(
    value.get("arguments"), "reconstruction"
  )


def _generative_model(value: Any) -> bool:
  return value is None or (
    isinstance(value, dict) and _parts_described(value, "likelihood")
  )


def _parts_described(value: Any, loss: str) -> bool:
  """Whether the loss and the prior, if present, have a class and arguments."""
  parts = [value.get(part) for part in (loss, "prior")] if value else []
  described = all(part is None or _class_and_arguments(part) for part in parts)
  return described and count_numbers(value) <= _MOST_NUMBERS


_FIELDS: dict[str, Callable[[Any], bool]] = {
  "contract_version": _whole,
  "data": lambda value: _class_and_arguments(value) and _name(value.get("name", "")),
  "factor_names": _names,
  "latents": _whole,
  "model": _model,
  "generative_model": _generative_model,  # of version 1
  "seed": _whole,
  "step": _whole,
  "config": _text,
  "hyper_parameters": _named,
  "versions": lambda value: _named(value) and all(map(_name, value.values())),
  "sha256": lambda value: _named(value) and all(map(_hash, value.values())),
}
