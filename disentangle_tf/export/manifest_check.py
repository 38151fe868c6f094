"""Checks of a manifest's fields, which anybody may have written: types and sizes."""

import re

_MOST_WHOLE = 2**63 - 1  # that TensorBoard can note
_LONGEST_NAME = 1_000
_MOST_NAMES = 10_000
_DEEPEST = 20  # lists within lists
_LARGEST = 1e30
_MOST_NUMBERS = 2**16  # of what is told of the model, for some of it is computed with


def check_manifest(manifest):
  """Raises a `ValueError` that names the first field which is not what it must be.

  Fields that are absent are not missed here, and those of other names not looked at.
  """
  if not _is_flat(manifest, _DEEPEST):
    raise ValueError(f"it is more than {_DEEPEST} levels deep")
  for field, fits in _FIELDS.items():
    if field in manifest and not fits(manifest[field]):
      raise ValueError(f"its {field} is not as an export writes it")


def count_numbers(value):
  """How many single values there are in lists and dictionaries, at all depths."""
  if isinstance(value, dict):
    value = list(value.values())
  return sum(map(count_numbers, value)) if isinstance(value, list) else 1


def is_number(value):
  """Whether it is a number to compute with: finite, and not beyond float32."""
  return type(value) in (int, float) and abs(value) <= _LARGEST


def _is_flat(value, deepest):
  parts = value.values() if isinstance(value, dict) else value
  if not isinstance(value, dict | list):
    return True
  return deepest > 0 and all(_is_flat(part, deepest - 1) for part in parts)


def _whole(value):
  return type(value) is int and 0 <= value <= _MOST_WHOLE


def _text(value):
  return isinstance(value, str)


def _name(value):
  return isinstance(value, str) and len(value) <= _LONGEST_NAME


def _names(value):
  return (
    isinstance(value, list) and len(value) <= _MOST_NAMES and all(map(_name, value))
  )


def _named(value):
  return (
    isinstance(value, dict) and len(value) <= _MOST_NAMES and all(map(_name, value))
  )


def _hash(value):
  return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _class_and_arguments(value):
  """The arguments may be null: of classes from elsewhere only the name is told."""
  if not isinstance(value, dict) or not _name(value.get("class")):
    return False
  arguments = value.get("arguments")
  return arguments is None or _named(arguments)


def _model(value):
  if value is None:
    return True
  return _class_and_arguments(value) and _told(value.get("arguments"), "reconstruction")


def _generative_model(value):
  return value is None or (isinstance(value, dict) and _told(value, "likelihood"))


def _told(value, loss):
  """Whether the loss and the prior are told as such, if they are."""
  parts = [value.get(part) for part in (loss, "prior")] if value else []
  described = all(part is None or _class_and_arguments(part) for part in parts)
  return described and count_numbers(value) <= _MOST_NUMBERS


_FIELDS = {
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
