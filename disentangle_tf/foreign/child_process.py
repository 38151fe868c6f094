"""The other end of `child`: starts it, asks it, and does not trust its answers."""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

import disentangle_tf
from disentangle_tf.errors import UserError
from disentangle_tf.foreign.model_error import ModelError, printable

_LONGEST_LINE = 2**16
_MEMORY_WORDS = (
  "map segment",
  "bad_alloc",
  "MemoryError",
  "ResourceExhausted",
  "OOM",
  "llocat",
)


class ChildProcess:
  """A model in a confined process of its own.

  Args:
    kind, path, tags: for `running.load_model`.
    calls: {name: `Call`}.
    limits: `Limits`.

  Attributes:
    sandbox: how the process was confined.
  """

  def __init__(self, kind, path, tags, calls, limits):
    if sys.platform != "linux":
      raise UserError(
        "models are confined by Linux: on this system only --trusted runs them"
      )
    self._limits = limits
    self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
    self._process = subprocess.Popen(
      [sys.executable, "-P", "-m", "disentangle_tf.foreign.child"],
      stdin=subprocess.PIPE,
      stdout=subprocess.PIPE,
      stderr=self._errors,
      env=_environment(),
      cwd="/",
      start_new_session=True,
    )
    for pipe in (self._process.stdin, self._process.stdout):
      os.set_blocking(pipe.fileno(), False)
    self._read = bytearray()
    try:
      settings = {
        "kind": kind,
        "path": str(path),
        "tags": tags,
        "calls": {name: dataclasses.asdict(call) for name, call in calls.items()},
        "limits": {"memory_gib": limits.memory_gib, "seconds": limits.cpu_seconds},
      }
      self._begin("to load")
      self._send(json.dumps(settings).encode() + b"\n")
      self.sandbox = self._receive_record()
      if self._receive_line() != b"ready":
        raise ModelError("the model's process answered nonsense")
    except BaseException:
      self.close()
      raise

  def ask(self, name, array, *, most):
    """What the call `name` gives for a float32 array: [N, width], all finite.

    Args:
      most: the largest width that is taken.
    """
    array = np.ascontiguousarray(array, "<f4")
    sizes = " ".join(map(str, array.shape))
    self._begin("for one batch")
    self._send(f"{name} {sizes}\n".encode() + array.tobytes())
    return self._receive_array(len(array), most)

  def close(self):
    """Ends the process, whatever it is doing."""
    if self._process.poll() is None:
      os.killpg(self._process.pid, signal.SIGKILL)
    self._process.wait()
    for stream in (self._process.stdin, self._process.stdout, self._errors):
      with contextlib.suppress(OSError):  # a pipe that the process left unread
        stream.close()

  def _begin(self, what):
    self._what = what
    self._deadline = time.monotonic() + self._limits.seconds

  def _send(self, content):
    left = memoryview(content)
    while left:
      self._wait(self._process.stdin, selectors.EVENT_WRITE)
      try:
        left = left[os.write(self._process.stdin.fileno(), left[: 2**20]) :]
      except BrokenPipeError as error:
        raise self._death() from error

  def _receive_record(self):
    line = self._receive_line()
    try:
      return json.loads(line)
    except ValueError as error:
      raise ModelError("the model's process answered nonsense") from error

  def _receive_array(self, count, most):
    sizes = re.fullmatch(rb"(\d{1,12}) (\d{1,12})", self._receive_line())
    if not sizes:
      raise ModelError("the model's process answered nonsense")
    rows, width = map(int, sizes.groups())
    if rows != count:
      raise ModelError(f"the model gave {rows} results for {count} inputs")
    if not 0 < width <= most:
      raise ModelError(f"the model gave {width} numbers an image, at most {most} fit")
    content = self._receive(4 * rows * width)
    result = np.frombuffer(content, "<f4").reshape(rows, width).astype(np.float32)
    if not np.isfinite(result).all():
      column = int(np.argwhere(~np.isfinite(result))[0, 1])
      raise ModelError(
        f"the model gave NaN or infinity (in number {column + 1} of the {width} it "
        "gives for an image)"
      )
    return result

  def _receive_line(self):
    while b"\n" not in self._read:
      if len(self._read) > _LONGEST_LINE:
        raise ModelError("the model's process answered nonsense")
      self._fill()
    line, _, rest = bytes(self._read).partition(b"\n")
    self._read = bytearray(rest)
    return line

  def _receive(self, count):
    while len(self._read) < count:
      self._fill()
    content = bytes(self._read[:count])
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
          f"the model took more than {self._limits.seconds:g} s {self._what} and was "
          "stopped (--limit_seconds)"
        )

  def _death(self):
    """The error for a process that is gone: what its last words say."""
    try:
      code = self._process.wait(timeout=2)
    except subprocess.TimeoutExpired:
      return ModelError("the model's process closed its pipes")
    self._errors.seek(0)
    words = self._errors.read(2**20).decode(errors="replace")
    limits = self._limits
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
      return ModelError(
        f"the model used more than {limits.cpu_seconds:g} s of computing, or more "
        "memory than this machine has, and was stopped (--limit_cpu_seconds)"
      )
    if any(word in words for word in _MEMORY_WORDS):
      return ModelError(
        f"the model needs more than {limits.memory_gib:g} GiB (--limit_memory_gib)"
      )
    last = [line for line in words.splitlines() if line.strip()][-1:]
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    said = f": {printable(last[0])}" if last else ""
    return ModelError(f"the model's process died ({how}){said}")


def _environment():
  """Nothing of the user's but where libraries are."""
  root = pathlib.Path(disentangle_tf.__file__).parent.parent
  kept = {k: os.environ[k] for k in ("LD_LIBRARY_PATH",) if k in os.environ}
  return {
    "PATH": "/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "PYTHONPATH": str(root),
    "PYTHONDONTWRITEBYTECODE": "1",
    "KERAS_BACKEND": "tensorflow",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
    **kept,
  }
