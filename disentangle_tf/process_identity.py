"""Which process this is, so that another one can tell whether it has ended.

A host name and a number do not say that: containers share host names, and every PID
namespace counts its processes from 1. The boot id names a machine from its start to its
end, and the namespace names whose numbers they are.
"""

import os
import pathlib
import socket
from collections.abc import Mapping

_BOOT_ID = "/proc/sys/kernel/random/boot_id"
_NAMESPACE = "/proc/self/ns/pid"


def this_process() -> dict[str, str | int | None]:
  """JSON that names this process; None for what this system does not tell."""
  return {"host": socket.gethostname(), **_space(), **_process(os.getpid())}


def this_parent() -> dict[str, int | None]:
  """The same numbers of the process that started this one, without the place."""
  return _process(os.getppid())


def is_of_this_machine(identity: Mapping) -> bool:
  """Whether a `this_process` was made on this machine, since it was started."""
  here = _space()
  if None in (identity.get("boot"), here["boot"]):
    return identity.get("host") == socket.gethostname()
  return identity["boot"] == here["boot"]


def can_be_seen(identity: Mapping) -> bool:
  """Whether the numbers of a `this_process` mean the same processes here."""
  here = _space()
  return None not in here.values() and all(
    identity.get(name) == value for name, value in here.items()
  )


def has_ended(identity: Mapping, process: Mapping | None = None) -> bool:
  """Whether a process is known to have ended; False if it cannot be seen.

  Args:
    identity: what `this_process` gave there.
    process: what `this_parent` gave there; by default the process itself.
  """
  process = process or identity
  if not can_be_seen(identity):
    return False
  return _started(process.get("process")) != process.get("process_started")


def _space() -> dict[str, str | None]:
  """What the numbers of processes refer to."""
  try:
    boot = pathlib.Path(_BOOT_ID).read_text(encoding="ascii").strip()
  except OSError:
    boot = None
  try:
    # /proc may be another namespace's, whose numbers `os.getpid` does not give.
    own = os.readlink("/proc/self") == str(os.getpid())
    namespace = os.readlink(_NAMESPACE) if own else None
  except OSError:
    namespace = None
  return {"boot": boot, "namespace": namespace}


def _process(number: int) -> dict[str, int | None]:
  return {"process": number, "process_started": _started(number)}


def _started(process: object) -> int | None:
  """When a process started, in ticks since the boot; None if there is none."""
  try:
    text = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
  except (FileNotFoundError, ProcessLookupError):
    return None
  fields = text.rpartition(")")[2].split()
  return None if fields[0] == "Z" else int(fields[19])
