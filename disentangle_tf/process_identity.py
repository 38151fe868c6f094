"""Identifies a process, so that another process can check whether it has ended.

A host name and a PID are not enough: containers share host names, and every PID
namespace counts its processes from 1. So the identity also holds the machine's boot id
and the PID namespace.
"""

import os
import pathlib
import socket
from collections.abc import Mapping

_BOOT_ID = "/proc/sys/kernel/random/boot_id"
_NAMESPACE = "/proc/self/ns/pid"


def this_process() -> dict[str, str | int | None]:
  """Identify this process, as JSON; None for what this system does not provide."""
  return {"host": socket.gethostname(), **_space(), **_process(os.getpid())}


def this_parent() -> dict[str, int | None]:
  """PID and start time of the parent process, without machine and namespace."""
  return _process(os.getppid())


def is_of_this_machine(identity: Mapping) -> bool:
  """Whether the identified process ran on this machine since the machine booted."""
  here = _space()
  if None in (identity.get("boot"), here["boot"]):
    return identity.get("host") == socket.gethostname()
  return identity["boot"] == here["boot"]


def can_be_seen(identity: Mapping) -> bool:
  """Whether the PIDs of an identity refer to the same processes here."""
  here = _space()
  return None not in here.values() and all(
    identity.get(name) == value for name, value in here.items()
  )


def has_ended(identity: Mapping, process: Mapping | None = None) -> bool:
  """Whether a process has certainly ended; False if it cannot be seen from here.

  Args:
    identity: the result of `this_process` in the other process.
    process: the result of `this_parent` there; by default the process itself.
  """
  process = process or identity
  if not can_be_seen(identity):
    return False
  return _started(process.get("process")) != process.get("process_started")


def _space() -> dict[str, str | None]:
  """The machine and the namespace that PIDs refer to."""
  try:
    boot = pathlib.Path(_BOOT_ID).read_text(encoding="ascii").strip()
  except OSError:
    boot = None
  try:
    # /proc may belong to another namespace, whose PIDs differ from `os.getpid`.
    own = os.readlink("/proc/self") == str(os.getpid())
    namespace = os.readlink(_NAMESPACE) if own else None
  except OSError:
    namespace = None
  return {"boot": boot, "namespace": namespace}


def _process(number: int) -> dict[str, int | None]:
  return {"process": number, "process_started": _started(number)}


def _started(process: object) -> int | None:
  """When a process started, in ticks since the boot; None if it does not run."""
  try:
    text = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
  except (FileNotFoundError, ProcessLookupError):
    return None
  fields = text.rpartition(")")[2].split()
  return None if fields[0] == "Z" else int(fields[19])
