"""Ends a confined process that takes too much memory or too many threads."""

import pathlib
import re
import threading

from disentangle_tf.foreign.confine.sandbox import most_threads

_SECONDS = 0.1  # between two looks
_SPARE_GIB = 0.25  # pages that the kernel's own limit does not count, of libraries
# What of a process is memory, and not a copy of a file: kB.
_MEMORY = ("RssAnon", "RssShmem", "VmSwap", "VmPTE")


class Watch:
  """Ends a process that fills too much memory or starts too many threads.

  The kernel limits what can be written at a time, not what was written and made
  read-only; and it does not count the threads of root. This looks ten times a second.

  Args:
    process: a `subprocess.Popen`.
    memory_gib: how much it may fill.

  Attributes:
    reason: why it was ended, "" if it was not.
  """

  def __init__(self, process, memory_gib):
    self.reason = ""
    self._process = process
    self._memory_gib = memory_gib
    self._closed = threading.Event()
    self._thread = threading.Thread(target=self._look_on, daemon=True)
    self._thread.start()

  def close(self):
    """Looks no longer."""
    self._closed.set()
    self._thread.join()

  def _look_on(self):
    while not self.reason and not self._closed.wait(_SECONDS):
      try:
        self.reason = self._excess(pathlib.Path(f"/proc/{self._process.pid}"))
      except OSError:
        return  # it has ended
    if self.reason:
      self._process.kill()

  def _excess(self, folder):
    """What the process of a folder has too much of, in words for the user."""
    found = _status(folder)
    if int(found["Threads"]) > most_threads():
      return f"the model started more than {most_threads()} threads and was stopped"
    if found["State"] == "Z":  # of its first thread alone, which takes its memory along
      found = max(map(_status, (folder / "task").iterdir()), key=_memory_gib)
    if _memory_gib(found) > self._memory_gib + _SPARE_GIB:
      return f"the model needs more than {self._memory_gib:g} GiB (--limit_memory_gib)"
    return ""


def _status(folder):
  """{name: first word} of a process or thread, which may call itself anything."""
  text = (folder / "status").read_text(errors="replace")
  return dict(re.findall(r"^(\w+):\s+(\w+)", text, re.MULTILINE))


def _memory_gib(status):
  return sum(int(status.get(name, 0)) for name in _MEMORY) / 2**20
