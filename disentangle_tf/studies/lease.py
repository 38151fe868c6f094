"""A lease on a run's folder: one worker at a time, on any number of machines.

A worker claims a lease with O_EXCL, which is atomic on local disks and on NFS, and
keeps it alive by touching the file. Another worker takes it over, by renaming the file,
if the holder is known to have ended or has not touched it for long. Only workers on one
machine and in one PID namespace can know that a process ended; between others, such as
containers, only the touches count. No clocks are compared: a worker that waits watches
whether the file changes.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

from disentangle_tf.process_identity import (
  can_be_seen,
  has_ended,
  this_parent,
  this_process,
)

LEASE = "lease.json"
HEARTBEAT = 30.0  # seconds
EXPIRY = 600.0  # seconds without a change


class Lease:
  """The right to work in `folder`, until `release`.

  Only `claim` makes one. A thread touches the file at each heartbeat.
  """

  def __init__(
    self, folder: str | os.PathLike[str], content: dict[str, Any], heartbeat: float
  ) -> None:
    self._path = pathlib.Path(folder) / LEASE
    self._content = content
    self._stopped = threading.Event()
    self._thread = threading.Thread(target=self._beat, args=(heartbeat,), daemon=True)
    self._thread.start()

  def is_held(self) -> bool:
    """Whether no other worker has taken it over."""
    return read_lease(self._path.parent) == self._content

  def release(self) -> None:
    """Remove the lease, unless another worker has taken it over."""
    self._stopped.set()
    self._thread.join()
    if self.is_held():
      self._path.unlink(missing_ok=True)

  def __enter__(self) -> Lease:
    return self

  def __exit__(self, *_: object) -> None:
    self.release()

  def _beat(self, seconds: float) -> None:
    while not self._stopped.wait(seconds):
      with contextlib.suppress(FileNotFoundError):
        if self.is_held():
          os.utime(self._path)


def claim(
  folder: str | os.PathLike[str], *, heartbeat: float = HEARTBEAT, **facts: Any
) -> Lease | None:
  """Claim a `Lease` on `folder`, which is created if missing; None if another has it.

  Args:
    folder: the run's folder.
    heartbeat: seconds between two touches.
    facts: further entries of the file, such as the slot.
  """
  folder = pathlib.Path(folder)
  folder.mkdir(parents=True, exist_ok=True)
  content = {
    **this_process(),
    "parent": this_parent(),
    "id": uuid.uuid4().hex,
    **facts,
  }
  try:
    file = os.open(folder / LEASE, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
  except FileExistsError:
    return None
  with os.fdopen(file, "w", encoding="utf-8") as opened:
    json.dump(content, opened)
  return Lease(folder, content, heartbeat)


def read_lease(folder: str | os.PathLike[str]) -> dict[str, Any] | None:
  """Content of the lease on `folder`: {} while being written, None without one."""
  try:
    text = (pathlib.Path(folder) / LEASE).read_text(encoding="utf-8")
  except FileNotFoundError:
    return None
  try:
    found = json.loads(text)
  except ValueError:
    return {}
  return found if isinstance(found, dict) else {}


def take_over(folder: str | os.PathLike[str], lease: dict[str, Any]) -> bool:
  """Remove the lease of a worker that is gone; returns whether this call removed it.

  Of several callers one succeeds. A newer lease in its place is kept.

  Args:
    folder: the run's folder.
    lease: result of `read_lease` when the worker was found to be gone.
  """
  path = pathlib.Path(folder) / LEASE
  mark = path.with_name(f".{LEASE}.{lease.get('id', 'unwritten')}")
  try:
    os.close(os.open(mark, os.O_CREAT | os.O_EXCL, 0o644))
  except FileExistsError:
    return False
  try:
    if read_lease(folder) != lease:
      return False
    path.replace(mark)  # from here on `claim` finds no lease
    return True
  finally:
    mark.unlink(missing_ok=True)


def holder_has_ended(lease: dict[str, Any]) -> bool:
  """Whether the worker of a lease is known to have ended."""
  return has_ended(lease)


def holder_ended_alone(lease: dict[str, Any]) -> bool:
  """Whether the worker has ended, but the process that started it has not."""
  parent = lease.get("parent")
  known = isinstance(parent, dict) and parent.get("process_started") is not None
  return known and has_ended(lease) and not has_ended(lease, parent)


def is_held_by(lease: dict[str, Any], process: int) -> bool:
  """Whether the worker of a lease is the process with this number here."""
  return can_be_seen(lease) and lease.get("process") == process


class LeaseWatch:
  """Finds leases that have not changed for as long as this object has watched them.

  Args:
    expiry: seconds without a change after which a worker counts as gone.
    clock: gives seconds.
  """

  def __init__(
    self, expiry: float = EXPIRY, clock: Callable[[], float] = time.monotonic
  ) -> None:
    self._expiry = expiry
    self._clock = clock
    self._seen = {}

  def has_expired(self, folder: str | os.PathLike[str]) -> bool:
    """Whether the lease on `folder` belongs to a worker that is gone."""
    path = pathlib.Path(folder) / LEASE
    try:
      state = (path.stat().st_mtime_ns, path.stat().st_ino)
    except FileNotFoundError:
      self._seen.pop(path, None)
      return False
    if holder_has_ended(read_lease(folder) or {}):
      return True
    known, since, _ = self._seen.get(path, (None, None, None))
    if known != state:
      self._seen[path] = state, self._clock(), known is not None
      return False
    return self._clock() - since >= self._expiry

  def is_alive(self, folder: str | os.PathLike[str]) -> bool:
    """Whether the lease on `folder` has changed since `has_expired` first saw it."""
    _, _, has_changed = self._seen.get(
      pathlib.Path(folder) / LEASE, (None, None, False)
    )
    return has_changed
