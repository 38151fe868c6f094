"""Restricts which system calls this process may make, by Linux's seccomp filters.

The filter is a program of the kernel's own small machine (BPF): it sees the number and
the arguments of a call and returns what becomes of it. Standard library only, because
it runs before anything else is imported.
"""

import ctypes
import os
import platform
import struct

from disentangle_tf.foreign.confine import system_calls
from disentangle_tf.foreign.confine.system_call_numbers import NUMBERS

# Columns of NUMBERS, and how the kernel calls the machine.
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2

_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # where the kernel puts them
_ALL_BITS = 0xFFFFFFFF


def available():
  """Whether this machine is one whose system calls are known here."""
  return os.uname().sysname == "Linux" and platform.machine() in _MACHINES


def restrict():
  """From now on only the calls of `system_calls`; an unknown one ends the process."""
  steps = program(platform.machine(), os.getpid())
  code = ctypes.create_string_buffer(b"".join(steps))
  header = struct.pack("HL", len(steps), ctypes.addressof(code))
  library = ctypes.CDLL(None, use_errno=True)
  for arguments in ((_NO_NEW_PRIVILEGES, 1, 0), (_SET_SECCOMP, _FILTER, header)):
    if library.prctl(*arguments, 0, 0):
      raise OSError(ctypes.get_errno(), "prctl")


def program(machine, process):
  """The filter: a list of instructions of 8 bytes.

  Args:
    machine: "x86_64" or "aarch64".
    process: the number of the process that is confined.
  """
  column, architecture = _MACHINES[machine]
  steps = [
    _step(_LOAD, _MACHINE),
    _step(_EQUAL, architecture, then=1),
    _step(_RETURN, _KILL),  # the numbers of 32-bit programs are others
    _step(_LOAD, _NUMBER),
  ]
  for name, decision in _decisions(process):
    number = NUMBERS[name][column]
    if number is not None:
      steps += [_step(_EQUAL, number, otherwise=len(decision)), *decision]
  return [*steps, _step(_RETURN, _KILL)]


def _decisions(process):
  """(name, the steps that decide about it), frequent ones with arguments first."""
  for name, (error, *alternatives) in system_calls.checked(process).items():
    steps = [step for tests in alternatives for step in _if_all(tests)]
    yield name, [*steps, _fail(error)]
  for names in system_calls.ALLOWED.values():
    for name in names.split():
      yield name, [_step(_RETURN, _ALLOW)]
  for error, groups in system_calls.REFUSED.items():
    for name in " ".join(groups.values()).split():
      yield name, [_fail(error)]


def _if_all(tests):
  """Allows the call if all tests pass, otherwise goes to the step after these."""
  steps = [_step(_RETURN, _ALLOW)]
  for test in reversed(tests):
    steps = [*_MAKERS[type(test)](test, len(steps)), *steps]
  return steps


def _only(test, rest):
  others = _ALL_BITS & ~test.bits
  steps = [_load(test.position), _step(_ANY_BIT, others, then=rest)]
  if not test.wide:
    return steps
  return [
    _load(test.position, upper=True),
    _step(_EQUAL, 0, otherwise=rest + len(steps)),
    *steps,
  ]


def _has(test, rest):
  return [_load(test.position), _step(_ANY_BIT, test.bits, otherwise=rest)]


def _one_of(test, rest):
  *values, last = test.values
  tests = [_step(_EQUAL, v, then=len(values) - i) for i, v in enumerate(values)]
  return [_load(test.position), *tests, _step(_EQUAL, last, otherwise=rest)]


_MAKERS = {
  system_calls.Only: _only,
  system_calls.Has: _has,
  system_calls.OneOf: _one_of,
}


def _load(position, *, upper=False):
  """Half of an argument; all machines here put the lower half first."""
  return _step(_LOAD, _ARGUMENTS + 8 * position + 4 * upper)


def _fail(number):
  return _step(_RETURN, _FAIL | number)


def _step(code, value, *, then=0, otherwise=0):
  """`then` and `otherwise`: how many steps to leave out."""
  return struct.pack("HBBI", code, then, otherwise, value)
