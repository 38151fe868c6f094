"""Limits of a foreign model, and the watch over them."""

from __future__ import annotations

import dataclasses
import math
import pathlib
import re
import threading
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.sandbox.confinement import most_threads

if TYPE_CHECKING:
  from collections.abc import Mapping

  from disentangle_tf.foreign.sandbox.warm_children import Process


@dataclasses.dataclass(frozen=True)
class Limits:
  """Limits for a foreign model and for its evaluation.

  Args:
    memory_gib: memory of its process, in GiB.
    seconds: time to load, and time for one answer.
    cpu_seconds: computing time in total, over all cores.
    total_seconds: time to load and for all its answers together.
    latents: numbers in a code, of a model or of arrays.
    image_numbers: height x width x channels of the images.
    metric_seconds: time for one metric; a metric that takes longer is skipped.
    codes_gib: codes that a metric asks for at a time, or images or Jacobians of a
      decoder, in GiB; a metric that needs more is skipped.

  Raises:
    UserError: a limit is not positive and finite.

  Example:
    >>> from disentangle_tf import foreign
    >>> limits = foreign.Limits(memory_gib=2, seconds=30)
    >>> limits.memory_gib, limits.latents
    (2, 4096)
  """

  memory_gib: float = 8.0
  seconds: float = 120.0
  cpu_seconds: float = 4 * 3600.0
  total_seconds: float = 4 * 3600.0
  latents: int = 4096
  image_numbers: int = 2**20
  metric_seconds: float = 3600.0
  codes_gib: float = 0.5

  def __post_init__(self) -> None:
    for name, value in dataclasses.asdict(self).items():
      if not 0 < value < math.inf:
        raise UserError(f"--limit_{name} is {value}: it must be above 0")

  def check_latents(self, count: int) -> None:
    """Raise a `ModelError` if codes of `count` numbers are too wide."""
    if count > self.latents:
      raise ModelError(
        f"codes of {count:,} numbers: at most {self.latents:,} are allowed "
        "(--limit_latents)"
      )


_SECONDS = 0.1  # between two checks
_SPARE_GIB = 0.25  # pages that the kernel's own limit does not count, of libraries
# Memory of a process, without pages of files: kB.
_MEMORY = ("RssAnon", "RssShmem", "VmSwap", "VmPTE")


class Watch:
  """Ends a process that fills too much memory or starts too many threads.

  The kernel limits memory that is writable, not memory that was filled and then made
  read-only, and it does not count the threads of root. A thread checks both ten times a
  second.

  Args:
    process: the process of the sandbox.
    memory_gib: memory that it may fill, in GiB.

  Attributes:
    reason: why it was ended, "" if it was not.
  """

  def __init__(self, process: Process, memory_gib: float) -> None:
    self.reason = ""
    self._process = process
    self._memory_gib = memory_gib
    self._closed = threading.Event()
    self._thread = threading.Thread(target=self._check_often, daemon=True)
    self._thread.start()

  def close(self) -> None:
    """Stop checking."""
    self._closed.set()
    self._thread.join()

  def _check_often(self) -> None:
    while not self.reason and not self._closed.wait(_SECONDS):
      try:
        self.reason = self._excess(pathlib.Path(f"/proc/{self._process.pid}"))
      except OSError:
        return  # the process has ended
    if self.reason:
      self._process.kill()

  def _excess(self, folder: pathlib.Path) -> str:
    """Why the process of a folder in /proc must be ended, "" if it need not."""
    found = _status(folder)
    if int(found["Threads"]) > most_threads():
      return f"the model started more than {most_threads()} threads and was stopped"
    if found["State"] == "Z":  # only of its first thread: ask the others
      found = max(map(_status, (folder / "task").iterdir()), key=_memory_gib)
    if _memory_gib(found) > self._memory_gib + _SPARE_GIB:
      return f"the model needs more than {self._memory_gib:g} GiB (--limit_memory_gib)"
    return ""


def _status(folder: pathlib.Path) -> dict[str, str]:
  """{name: first word} of the status of a process or thread; its name may be any."""
  text = (folder / "status").read_text(errors="replace")
  return dict(re.findall(r"^(\w+):\s+(\w+)", text, re.MULTILINE))


def _memory_gib(status: Mapping[str, str]) -> float:
  return sum(int(status.get(name, 0)) for name in _MEMORY) / 2**20
