"""Starts the confined process (`child`), asks it, and does not trust its answers."""

import contextlib
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time

from disentangle_tf.errors import ModelError, UserError
from disentangle_tf.foreign.confine.environment import environment
from disentangle_tf.foreign.confine.warm_children import warm_parent
from disentangle_tf.foreign.confine.watch import Watch
from disentangle_tf.half_precision import CAPS, VARIABLE
from disentangle_tf.strangers_text import printable

_LONGEST_LINE = 2**16
# What libraries say of it; a model may say so too, and is quoted all the same.
_MEMORY_WORDS = (
  "map segment",
  "bad_alloc",
  "MemoryError",
  "ResourceExhausted",
  "OOM",
  "llocat",
)


class ChildProcess:
  """A confined process that does one of the tasks of `child`.

  Args:
    settings: the task and what it needs: JSON, with the path that may be read.
    limits: `Limits`.
    doing: what takes it time, such as "to load".
    needs_tensorflow: whether it is worth while to fork it from a process that has
      loaded TensorFlow, if there is one (`warm_children`).

  Attributes:
    sandbox: how the process was confined.
  """

  def __init__(self, settings, limits, *, doing, needs_tensorflow=False):
    if sys.platform != "linux":
      raise UserError(
        "models are confined by Linux: on this system only --trusted runs them"
      )
    self._limits = limits
    self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
    warm = warm_parent() if needs_tensorflow else None
    self._process = warm.start(self._errors) if warm else _start(self._errors)
    self._watch = Watch(self._process, limits.memory_gib)
    for pipe in (self._process.stdin, self._process.stdout):
      os.set_blocking(pipe.fileno(), False)
    self._read = bytearray()
    allowed = {"memory_gib": limits.memory_gib, "seconds": limits.cpu_seconds}
    try:
      self.begin(doing)
      self.send(json.dumps({**settings, "limits": allowed}).encode() + b"\n")
      self.sandbox = _parsed(self.receive_line())
    except BaseException:
      self.close()
      raise

  def __enter__(self):
    return self

  def __exit__(self, *exception):
    self.close()

  def close(self):
    """Ends the process, whatever it is doing."""
    self._watch.close()
    if self._process.poll() is None:
      os.killpg(self._process.pid, signal.SIGKILL)
    self._process.wait()
    for stream in (self._process.stdin, self._process.stdout, self._errors):
      with contextlib.suppress(OSError):  # a pipe that the process left unread
        stream.close()

  def begin(self, doing):
    """What follows may take as long as one answer may; `doing` is for the error."""
    self._doing = doing
    self._deadline = time.monotonic() + self._limits.seconds

  def send(self, content):
    """Hands over bytes."""
    left = memoryview(content)
    while left:
      self._wait(self._process.stdin, selectors.EVENT_WRITE)
      try:
        left = left[os.write(self._process.stdin.fileno(), left[: 2**20]) :]
      except BrokenPipeError as error:
        raise self._death() from error

  def receive_description(self, *, most):
    """What JSON the process answers with, of at most so many bytes."""
    size = re.fullmatch(rb"\d{1,12}", self.receive_line())
    if not size:
      raise nonsense()
    if int(size[0]) > most:
      raise ModelError(f"it has more than {most:,} bytes of names and shapes")
    found = _parsed(self.receive(int(size[0])))
    if isinstance(found, dict) and "error" in found:
      raise ModelError(printable(found["error"], longest=400))
    return found

  def receive_line(self):
    """The next line, without its end."""
    while b"\n" not in self._read:
      if len(self._read) > _LONGEST_LINE:
        raise nonsense()
      self._fill()
    line, _, rest = bytes(self._read).partition(b"\n")
    self._read = bytearray(rest)
    return line

  def receive(self, count):
    """The next `count` bytes."""
    while len(self._read) < count:
      self._fill()
    content = bytes(memoryview(self._read)[:count])
    del self._read[:count]
    return content

  def _fill(self):
    self._wait(self._process.stdout, selectors.EVENT_READ)
    block = os.read(self._process.stdout.fileno(), 2**20)
    if not block:
      raise self._death()
    self._read += block

  def _wait(self, pipe, event):
    with selectors.DefaultSelector() as selector:
      selector.register(pipe, event)
      if not selector.select(max(0.0, self._deadline - time.monotonic())):
        raise ModelError(
          f"the model took more than {self._limits.seconds:g} s {self._doing} and was "
          "stopped (--limit_seconds)"
        )

  def _death(self):
    """The error for a process that is gone: what its last words say."""
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


def _start(errors):
  return subprocess.Popen(
    [sys.executable, "-P", "-m", "disentangle_tf.foreign.confine.child"],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=errors,
    env=environment(),
    cwd="/",
    start_new_session=True,
  )


def nonsense():
  """The error for an answer that no honest process gives."""
  return ModelError("the model's process answered nonsense")


def _parsed(content):
  try:
    return json.loads(content)
  except (ValueError, RecursionError) as error:
    raise nonsense() from error
