"""Starts the sandbox (`child`), sends it requests, and checks its answers."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.sandbox.limits import Watch
from disentangle_tf.foreign.sandbox.warm_children import environment, warm_parent
from disentangle_tf.half_precision import CAPS, VARIABLE
from disentangle_tf.text import printable

if TYPE_CHECKING:
  from collections.abc import Mapping
  from typing import IO, Any, Self

  from disentangle_tf.foreign.sandbox.limits import Limits
  from disentangle_tf.foreign.sandbox.warm_children import Process

_LONGEST_LINE = 2**16
_PIPE_BYTES = 2**20  # the most that Linux gives any user; by default it is 64 KiB
# Words in messages of libraries about memory. A model may print them, too.
_MEMORY_WORDS = (
  "map segment",
  "bad_alloc",
  "MemoryError",
  "ResourceExhausted",
  "OOM",
  "llocat",
)


class ChildProcess:
  """A sandbox that does one of the tasks of `child`.

  Args:
    settings: the task and its arguments, with the path that may be read: JSON.
    limits: `Limits`.
    doing: what it does first, for messages, such as "to load".
    needs_tensorflow: whether to fork it from a process that has loaded TensorFlow, if
      there is one (`warm_children`).

  Attributes:
    sandbox: {part of the system: how the process is cut off from it}.
  """

  def __init__(
    self,
    settings: Mapping[str, Any],
    limits: Limits,
    *,
    doing: str,
    needs_tensorflow: bool = False,
  ) -> None:
    if sys.platform != "linux":
      raise UserError(
        "models are confined by Linux: on this system only --trusted runs them"
      )
    self._limits = limits
    self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
    warm = warm_parent() if needs_tensorflow else None
    self._process = warm.start(self._errors) if warm else _start(self._errors)
    self._to_child, self._from_child = _pipes(self._process)
    self._watch = Watch(self._process, limits.memory_gib)
    for pipe in (self._to_child, self._from_child):
      os.set_blocking(pipe.fileno(), False)
      with contextlib.suppress(OSError):  # the user has many large pipes
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    self._read = bytearray()
    allowed = {"memory_gib": limits.memory_gib, "seconds": limits.cpu_seconds}
    try:
      self.begin(doing)
      self.send(json.dumps({**settings, "limits": allowed}).encode() + b"\n")
      self.sandbox = _parsed(self.receive_line())
    except BaseException:
      self.close()
      raise

  def __enter__(self) -> Self:
    return self

  def __exit__(self, *exception: object) -> None:
    self.close()

  def close(self) -> None:
    """End the process at once."""
    self._watch.close()
    if self._process.poll() is None:
      os.killpg(self._process.pid, signal.SIGKILL)
    self._process.wait()
    for stream in (self._to_child, self._from_child, self._errors):
      with contextlib.suppress(OSError):  # a pipe that the process left unread
        stream.close()

  def begin(self, doing: str) -> None:
    """Start the clock of one answer; `doing` names the activity in an error."""
    self._doing = doing
    self._deadline = time.monotonic() + self._limits.seconds

  def send(self, content: bytes | memoryview) -> None:
    """Send bytes to the process."""
    left = memoryview(content)
    while left:
      self._wait(self._to_child, selectors.EVENT_WRITE)
      try:
        left = left[os.write(self._to_child.fileno(), left[:_PIPE_BYTES]) :]
      except BrokenPipeError as error:
        raise self._death() from error

  def receive_description(self, *, most: int) -> Any:
    """Receive an answer in JSON of at most `most` bytes."""
    size = re.fullmatch(rb"\d{1,12}", self.receive_line())
    if not size:
      raise nonsense()
    if int(size[0]) > most:
      raise ModelError(f"it has more than {most:,} bytes of names and shapes")
    found = _parsed(self.receive(int(size[0])))
    if isinstance(found, dict) and "error" in found:
      raise ModelError(printable(found["error"], longest=400))
    return found

  def receive_line(self) -> bytes:
    """Receive the next line, without its end."""
    while b"\n" not in self._read:
      if len(self._read) > _LONGEST_LINE:
        raise nonsense()
      self._fill()
    line, _, rest = bytes(self._read).partition(b"\n")
    self._read = bytearray(rest)
    return line

  def receive(self, count: int) -> bytes:
    """Receive the next `count` bytes."""
    while len(self._read) < count:
      self._fill()
    content = bytes(memoryview(self._read)[:count])
    del self._read[:count]
    return content

  def _fill(self) -> None:
    self._wait(self._from_child, selectors.EVENT_READ)
    block = os.read(self._from_child.fileno(), 2**20)
    if not block:
      raise self._death()
    self._read += block

  def _wait(self, pipe: IO[bytes], event: int) -> None:
    with selectors.DefaultSelector() as selector:
      selector.register(pipe, event)
      if not selector.select(max(0.0, self._deadline - time.monotonic())):
        raise ModelError(
          f"the model took more than {self._limits.seconds:g} s {self._doing} and was "
          "stopped (--limit_seconds)"
        )

  def _death(self) -> ModelError:
    """The error for a process that has ended, with its last message."""
    try:
      code = self._process.wait(timeout=2)
    except subprocess.TimeoutExpired:
      return ModelError("the model's process closed its pipes")
    if self._watch.reason:
      return ModelError(self._watch.reason)
    self._errors.seek(0)
    words = self._errors.read(2**20).decode(errors="replace")
    limits = self._limits
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
      return ModelError(
        f"the model used more than {limits.cpu_seconds:g} s of computing, or more "
        "memory than this machine has, and was stopped (--limit_cpu_seconds)"
      )
    if code == -signal.SIGSYS:
      return ModelError(
        "the model's process died (signal 31): it asked the system for something that "
        "computing does not need"
      )
    if code == -signal.SIGILL:
      return ModelError(
        "the model's process died (signal 4): it used an instruction that this CPU "
        f"lacks; if the model was trained in half precision, set {VARIABLE}={CAPS[0]}"
      )
    last = "".join([line for line in words.splitlines() if line.strip()][-1:])
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    said = f": {printable(last)}" if last else ""
    if any(word in last for word in _MEMORY_WORDS):
      said += f"; perhaps it needs more than {limits.memory_gib:g} GiB"
      said += " (--limit_memory_gib)"
    return ModelError(f"the model's process died ({how}){said}")


def _start(errors: IO[bytes]) -> subprocess.Popen[bytes]:
  return subprocess.Popen(
    [sys.executable, "-P", "-m", "disentangle_tf.foreign.sandbox.child"],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=errors,
    env=environment(),
    cwd="/",
    start_new_session=True,
  )


def _pipes(process: Process) -> tuple[IO[bytes], IO[bytes]]:
  """The pipes to a process and from it."""
  assert process.stdin and process.stdout
  return process.stdin, process.stdout


def nonsense() -> ModelError:
  """The error for an answer that is not in the format of `child`."""
  return ModelError("the model's process answered nonsense")


def _parsed(content: bytes) -> Any:
  try:
    return json.loads(content)
  except (ValueError, RecursionError) as error:
    raise nonsense() from error
