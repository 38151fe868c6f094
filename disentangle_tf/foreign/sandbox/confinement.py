"""Confine this process: namespaces, limits, Landlock."""

from __future__ import annotations

import ctypes
import os
import pathlib
import re
import resource
import signal
import struct
import sys
import sysconfig
from typing import TYPE_CHECKING

from disentangle_tf.foreign.sandbox import seccomp

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


# In this order: the first needs no rights, gives the rights that the others need, and
# takes those of root away.
_NAMESPACES = {"user": 0x10000000, "network": 0x40000000, "ipc": 0x08000000}
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES, _DROP_FROM_BOUND, _AMBIENT = 1, 38, 24, 47
_CLEAR_ALL = 4
_CAPABILITY_VERSION = 0x20080522
_MESSAGES = 2**20  # bytes that the process may write to its error stream
_DESCRIPTORS = 1024
# Address space beyond the memory limit: for libraries, and 64 MiB that the C library
# reserves for each of at most eight arenas per core.
_LIBRARIES_GIB, _ARENAS_GIB = 8, 0.5

# Files that Python, TensorFlow and onnxruntime read when they start.
_SYSTEM = (
  "/usr",
  "/lib",
  "/lib64",
  "/lib32",
  "/etc/ld.so.cache",
  "/etc/localtime",
  "/etc/nsswitch.conf",
  "/proc/self",
  "/proc/cpuinfo",
  "/proc/meminfo",
  "/proc/stat",
  "/proc/version",
  "/proc/filesystems",
  "/proc/sys/vm/overcommit_memory",
  "/sys/devices/system",
  "/sys/fs/cgroup",
  "/dev/null",
  "/dev/urandom",
)


def most_threads() -> int:
  """The most threads a model may have; harmless ones had 25 on two cores with XLA."""
  return 64 + 16 * (os.cpu_count() or 1)


def confine(
  model: str | None, *, memory_gib: float, seconds: float
) -> dict[str, str | float]:
  """Take away every right that encoding images does not need; this cannot be undone.

  Args:
    model: the file or folder that may be read, or None.
    memory_gib: memory that may be used, in GiB.
    seconds: computing time in total, over all cores.

  Returns:
    {"network", "ipc", "files", "system_calls", "capabilities", "threads",
    "memory_gib", "cpu_seconds"}: how each is confined.
  """
  root = os.getuid() == 0
  _limit(resource.RLIMIT_CORE, 0)
  _limit(resource.RLIMIT_FSIZE, _MESSAGES)
  _limit(resource.RLIMIT_NOFILE, _DESCRIPTORS)
  _limit(resource.RLIMIT_CPU, int(seconds))
  _limit_memory(memory_gib)
  left = _leave_namespaces()
  counted = "user" in left and _limit_threads() and not root
  _drop_capabilities()
  end_with_parent()  # after the rights have changed, which would lift it
  _library().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)  # which Landlock asks for
  reads_only_named = version() > 0
  if reads_only_named:
    allow_reading_only([*_readable(), *([model] if model else [])])
  filtered = seccomp.available()
  if filtered:
    seccomp.restrict()
  return {
    "network": _first(
      ("network" in left, "none: a network namespace of its own"),
      (filtered, "none: sockets are denied by seccomp, no namespace allowed here"),
      (True, "open: this kernel allows neither namespaces nor seccomp"),
    ),
    "ipc": _first(
      ("ipc" in left, "none: an IPC namespace of its own"),
      (filtered, "none: denied by seccomp, no namespace allowed here"),
      (True, "open: this kernel allows neither namespaces nor seccomp"),
    ),
    "files": _first(
      (reads_only_named, "Landlock: reads its libraries and the model, writes nothing"),
      (filtered, "seccomp: writes nothing, reads what this user can read"),
      (True, "this kernel has neither Landlock nor seccomp: not confined"),
    ),
    "system_calls": _first(
      (filtered, "seccomp: a list of those that compute, an unknown one ends it"),
      (True, "not filtered"),
    ),
    "capabilities": "none",
    "threads": _first(
      (counted, f"at most {most_threads()}: counted in a user namespace of its own"),
      (True, f"at most {most_threads()}: counted by the evaluator"),
    ),
    "memory_gib": memory_gib,
    "cpu_seconds": seconds,
  }


def end_with_parent() -> None:
  """Have this process killed when its parent ends."""
  _library().prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def _first(*cases: tuple[bool, str]) -> str:
  return next(text for holds, text in cases if holds)


def _limit(kind: int, value: int) -> None:
  _, hard = resource.getrlimit(kind)
  if hard != resource.RLIM_INFINITY:
    value = min(value, hard)
  resource.setrlimit(kind, (value, value))


def _limit_memory(gib: float) -> None:
  """Limit both data and address space.

  The kernel counts as data what is private and writable at the moment. Memory that was
  filled and then made read-only is not counted as data, but uses address space.
  """
  room = _LIBRARIES_GIB + _ARENAS_GIB * (os.cpu_count() or 1)
  _limit(resource.RLIMIT_DATA, int(gib * 2**30))
  _limit(resource.RLIMIT_AS, int((gib + room) * 2**30))


def _leave_namespaces() -> set[str]:
  """Enter new, empty namespaces where possible, and return their names."""
  if not hasattr(_library(), "unshare"):
    return set()
  return {name for name, flag in _NAMESPACES.items() if _library().unshare(flag) == 0}


def _limit_threads() -> bool:
  """Limit the threads in this user namespace; whether the kernel can.

  Before Linux 5.14 the kernel counts all processes of the user; it never counts root's.
  """
  if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < (5, 14):
    return False
  _limit(resource.RLIMIT_NPROC, most_threads())
  return True


def _drop_capabilities() -> None:
  """Drop all capabilities, also those over its own namespaces."""
  for number in range(64):
    if _library().prctl(_DROP_FROM_BOUND, number, 0, 0, 0):
      break  # there are no more, or they cannot be dropped
  _library().prctl(_AMBIENT, _CLEAR_ALL, 0, 0, 0)
  header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
  if _library().capset(header, bytes(24)):
    raise OSError(ctypes.get_errno(), "capset")


def _library() -> ctypes.CDLL:
  return ctypes.CDLL(None, use_errno=True)


def _readable() -> list[str]:
  """Paths of the system's libraries, this Python, its packages, and this package."""
  python = {sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()}
  package = pathlib.Path(__file__).resolve().parents[2]
  return [*_SYSTEM, *sorted(python), str(package)]
