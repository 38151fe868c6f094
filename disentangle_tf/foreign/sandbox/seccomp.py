"""Restricts which system calls this process may make, by Linux's seccomp filters.

The filter is a program for a small machine in the kernel (BPF): it reads the number and
the arguments of a call, and decides what happens. This module imports only the standard
library, because it runs before any other import.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from typing import TYPE_CHECKING

from disentangle_tf.foreign.sandbox import system_calls
from disentangle_tf.foreign.sandbox.system_call_numbers import NUMBERS

if TYPE_CHECKING:
  from collections.abc import Iterator, Sequence

  from disentangle_tf.foreign.sandbox.system_calls import Has, OneOf, Only, Test

# {machine: (its column in NUMBERS, its number in the kernel)}.
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2

_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # their offsets in the kernel's record
_ALL_BITS = 0xFFFFFFFF


def available() -> bool:
  """Whether the system calls of this machine are known here."""
  return os.uname().sysname == "Linux" and platform.machine() in _MACHINES


def restrict() -> None:
  """Allow only the calls in `system_calls`; an unknown call ends the process."""
  steps = program(platform.machine(), os.getpid())
  code = ctypes.create_string_buffer(b"".join(steps))
  header = struct.pack("HL", len(steps), ctypes.addressof(code))
  library = ctypes.CDLL(None, use_errno=True)
  for arguments in ((_NO_NEW_PRIVILEGES, 1, 0), (_SET_SECCOMP, _FILTER, header)):
    if library.prctl(*arguments, 0, 0):
      raise OSError(ctypes.get_errno(), "prctl")


def program(machine: str, process: int) -> list[bytes]:
  """Make the filter: a list of instructions of 8 bytes.

  Args:
    machine: "x86_64" or "aarch64".
    process: the number of the process to confine.
  """
  column, architecture = _MACHINES[machine]
  steps = [
    _step(_LOAD, _MACHINE),
    _step(_EQUAL, architecture, then=1),
    _step(_RETURN, _KILL),  # 32-bit programs use other numbers
    _step(_LOAD, _NUMBER),
  ]
  for name, decision in _decisions(process):
    number = NUMBERS[name][column]
    if number is not None:
      steps += [_step(_EQUAL, number, otherwise=len(decision)), *decision]
  return [*steps, _step(_RETURN, _KILL)]


def _decisions(process: int) -> Iterator[tuple[str, list[bytes]]]:
  """(name of a call, the steps that decide about it); calls with conditions first."""
  for name, (error, *alternatives) in system_calls.checked(process).items():
    steps = [step for tests in alternatives for step in _if_all(tests)]
    yield name, [*steps, _fail(error)]
  for names in system_calls.ALLOWED.values():
    for name in names.split():
      yield name, [_step(_RETURN, _ALLOW)]
  for error, groups in system_calls.REFUSED.items():
    for name in " ".join(groups.values()).split():
      yield name, [_fail(error)]


def _if_all(tests: Sequence[Test]) -> list[bytes]:
  """Allow the call if all tests pass, else go to the step after these."""
  steps = [_step(_RETURN, _ALLOW)]
  for test in reversed(tests):
    steps = [*_MAKERS[type(test)](test, len(steps)), *steps]
  return steps


def _only(test: Only, rest: int) -> list[bytes]:
  others = _ALL_BITS & ~test.bits
  steps = [_load(test.position), _step(_ANY_BIT, others, then=rest)]
  if not test.wide:
    return steps
  return [
    _load(test.position, upper=True),
    _step(_EQUAL, 0, otherwise=rest + len(steps)),
    *steps,
  ]


def _has(test: Has, rest: int) -> list[bytes]:
  return [_load(test.position), _step(_ANY_BIT, test.bits, otherwise=rest)]


def _one_of(test: OneOf, rest: int) -> list[bytes]:
  *values, last = test.values
  tests = [_step(_EQUAL, v, then=len(values) - i) for i, v in enumerate(values)]
  return [_load(test.position), *tests, _step(_EQUAL, last, otherwise=rest)]


_MAKERS = {
  system_calls.Only: _only,
  system_calls.Has: _has,
  system_calls.OneOf: _one_of,
}


def _load(position: int, *, upper: bool = False) -> bytes:
  """Half of an argument; all machines here put the lower half first."""
  return _step(_LOAD, _ARGUMENTS + 8 * position + 4 * upper)


def _fail(number: int) -> bytes:
  return _step(_RETURN, _FAIL | number)


def _step(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
  """One instruction; `then` and `otherwise` are numbers of steps to skip."""
  return struct.pack("HBBI", code, then, otherwise, value)
