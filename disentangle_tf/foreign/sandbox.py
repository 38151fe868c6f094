"""Confines the process that runs a stranger's model.

Standard library only, because it runs before anything else is imported: Linux confines
threads, and only threads that start later inherit it.
"""

import ctypes
import os
import resource
import signal
import sys
import sysconfig

from disentangle_tf.foreign import landlock, seccomp

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_DIE_WITH_PARENT = 1
_MESSAGES = 2**20  # bytes that it may write to its error stream

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


def confine(model, *, memory_gib, seconds):
  """Takes away all that encoding images does not need; cannot be undone.

  Args:
    model: the file or folder to read.
    memory_gib: how much memory may be used.
    seconds: of computing, on one core.

  Returns:
    {"network", "files", "system_calls", "memory_gib", "cpu_seconds"}: what was done.
  """
  _limit(resource.RLIMIT_CORE, 0)
  _limit(resource.RLIMIT_FSIZE, _MESSAGES)
  _limit(resource.RLIMIT_DATA, int(memory_gib * 2**30))
  _limit(resource.RLIMIT_CPU, int(seconds))
  _library().prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
  _library().prctl(38, 1, 0, 0, 0)  # no new privileges, which Landlock asks for
  own_network = _leave_network()
  reads_only_named = landlock.version() > 0
  if reads_only_named:
    landlock.allow_reading_only([*_readable(), model])
  filtered = seccomp.available()
  if filtered:
    seccomp.deny()
  return {
    "network": _first(
      (own_network, "none: a network namespace of its own"),
      (filtered, "none: sockets are denied by seccomp, no namespace allowed here"),
      (True, "open: this kernel allows neither namespaces nor seccomp"),
    ),
    "files": _first(
      (reads_only_named, "Landlock: reads its libraries and the model, writes nothing"),
      (filtered, "seccomp: writes nothing, reads what this user can read"),
      (True, "this kernel has neither Landlock nor seccomp: not confined"),
    ),
    "system_calls": _first(
      (filtered, "seccomp: no sockets, programs, signals to others, writing"),
      (True, "not filtered"),
    ),
    "memory_gib": memory_gib,
    "cpu_seconds": seconds,
  }


def _first(*cases):
  return next(text for holds, text in cases if holds)


def _limit(kind, value):
  _, hard = resource.getrlimit(kind)
  if hard != resource.RLIM_INFINITY:
    value = min(value, hard)
  resource.setrlimit(kind, (value, value))


def _leave_network():
  """A user namespace first: it needs no rights, and takes root's away."""
  if not hasattr(_library(), "unshare"):
    return False
  return any(
    _library().unshare(flags) == 0 for flags in (_NEW_USER | _NEW_NETWORK, _NEW_NETWORK)
  )


def _library():
  return ctypes.CDLL(None, use_errno=True)


def _readable():
  """The system's libraries, this Python, its packages, and this package."""
  python = {sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()}
  here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
  return [*_SYSTEM, *sorted(python), here]
