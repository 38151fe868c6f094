"""Confines the process that runs a stranger's model.

Standard library only, because it runs before anything else is imported: Linux confines
threads, and only threads that start later inherit it.
"""

import ctypes
import os
import pathlib
import re
import resource
import signal
import struct
import sys
import sysconfig

from disentangle_tf.foreign.confine import landlock, seccomp

# In this order: the first needs no rights, gives those that the others need, and takes
# root's away.
_NAMESPACES = {"user": 0x10000000, "network": 0x40000000, "ipc": 0x08000000}
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES, _DROP_FROM_BOUND, _AMBIENT = 1, 38, 24, 47
_CLEAR_ALL = 4
_CAPABILITY_VERSION = 0x20080522
_MESSAGES = 2**20  # bytes that it may write to its error stream
_DESCRIPTORS = 1024
# Address space beside the memory that it may fill: its libraries, and 64 MiB that the C
# library reserves for each of at most eight arenas per core.
_LIBRARIES_GIB, _ARENAS_GIB = 8, 0.5

# What Python, TensorFlow and onnxruntime look at when they start.
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


def most_threads():
  """How many threads a model may have; with XLA honest ones had 25 on two cores."""
  return 64 + 16 * (os.cpu_count() or 1)


def confine(model, *, memory_gib, seconds):
  """Takes away all that encoding images does not need; cannot be undone.

  Args:
    model: the file or folder to read, or None.
    memory_gib: how much memory may be used.
    seconds: of computing, on one core.

  Returns:
    {"network", "ipc", "files", "system_calls", "capabilities", "threads",
    "memory_gib", "cpu_seconds"}: what was done.
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
  reads_only_named = landlock.version() > 0
  if reads_only_named:
    landlock.allow_reading_only([*_readable(), *([model] if model else [])])
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


def end_with_parent():
  """Has this process killed when its parent is gone."""
  _library().prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def _first(*cases):
  return next(text for holds, text in cases if holds)


def _limit(kind, value):
  _, hard = resource.getrlimit(kind)
  if hard != resource.RLIM_INFINITY:
    value = min(value, hard)
  resource.setrlimit(kind, (value, value))


def _limit_memory(gib):
  """Two limits: on what can be written, and on addresses.

  The kernel counts as data what is private and writable at the moment. What was filled
  and then made read-only is not, but has addresses, as all memory has.
  """
  room = _LIBRARIES_GIB + _ARENAS_GIB * (os.cpu_count() or 1)
  _limit(resource.RLIMIT_DATA, int(gib * 2**30))
  _limit(resource.RLIMIT_AS, int((gib + room) * 2**30))


def _leave_namespaces():
  """Names of the namespaces that it could leave for empty ones of its own."""
  if not hasattr(_library(), "unshare"):
    return set()
  return {name for name, flag in _NAMESPACES.items() if _library().unshare(flag) == 0}


def _limit_threads():
  """Whether the kernel bounds the threads in this user namespace.

  Before Linux 5.14 it counts all processes of the user, of root it never counts any.
  """
  if tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < (5, 14):
    return False
  _limit(resource.RLIMIT_NPROC, most_threads())
  return True


def _drop_capabilities():
  """None is left, not even over the namespaces of its own."""
  for number in range(64):
    if _library().prctl(_DROP_FROM_BOUND, number, 0, 0, 0):
      break  # there are no more, or it never had the right to
  _library().prctl(_AMBIENT, _CLEAR_ALL, 0, 0, 0)
  header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
  if _library().capset(header, bytes(24)):
    raise OSError(ctypes.get_errno(), "capset")


def _library():
  return ctypes.CDLL(None, use_errno=True)


def _readable():
  """The system's libraries, this Python, its packages, and this package."""
  python = {sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()}
  package = pathlib.Path(__file__).resolve().parents[2]
  return [*_SYSTEM, *sorted(python), str(package)]
