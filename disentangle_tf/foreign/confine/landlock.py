"""Restricts which files this process may read, by Linux's Landlock (5.13 or newer).

Standard library only, because it runs before anything else is imported.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
  from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
# How many kinds of access each version of Landlock knows; all of them are denied.
_KINDS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NO_TCP, _NO_SIGNALS_OR_ABSTRACT_SOCKETS = 0b11, 0b11


def version() -> int:
  """The kernel's version of Landlock, 0 without it."""
  return max(0, _system_call(_CREATE, None, 0, 1))


def allow_reading_only(paths: Iterable[str]) -> None:
  """Allow this process to read only at and below `paths`, and to write nothing."""
  number = version()
  kinds = (1 << _KINDS.get(number, 16)) - 1
  attributes = struct.pack("=Q", kinds)
  if number >= 4:
    attributes += struct.pack("=Q", _NO_TCP)
  if number >= 6:
    attributes += struct.pack("=Q", _NO_SIGNALS_OR_ABSTRACT_SOCKETS)
  ruleset = _checked(_CREATE, attributes, len(attributes), 0)
  for path in paths:
    _allow(ruleset, path)
  _checked(_RESTRICT, ruleset, 0)
  os.close(ruleset)


def _allow(ruleset: int, path: str) -> None:
  try:
    file = os.open(path, os.O_PATH | os.O_CLOEXEC)
  except OSError:
    return  # a missing path needs no rule
  access = _EXECUTE | _READ_FILE | (_READ_DIR if os.path.isdir(path) else 0)
  _checked(_ADD, ruleset, 1, struct.pack("=Qi", access, file), 0)
  os.close(file)


def _checked(number: int, *arguments: int | bytes | None) -> int:
  result = _system_call(number, *arguments)
  if result < 0:
    raise OSError(ctypes.get_errno(), f"system call {number}")
  return result


def _system_call(number: int, *arguments: int | bytes | None) -> int:
  return ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)
