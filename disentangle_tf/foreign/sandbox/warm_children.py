"""Start confined children quickly: their environment, and forks of a warm parent."""

from __future__ import annotations

import contextlib
import contextvars
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import disentangle_tf
from disentangle_tf.half_precision import VARIABLE

if TYPE_CHECKING:
  from collections.abc import Iterator, Sequence
  from typing import IO


def environment() -> dict[str, str]:
  """Environment variables of a sandbox; of the user's, only those of libraries."""
  root = pathlib.Path(disentangle_tf.__file__).parent.parent
  named = ("LD_LIBRARY_PATH", VARIABLE)  # the second keeps half precision from crashing
  kept = {name: os.environ[name] for name in named if name in os.environ}
  return {
    "PATH": "/usr/bin:/bin",
    "HOME": os.devnull,  # no folder can be made there
    "KERAS_HOME": os.devnull,  # else /tmp/.keras, where any user may leave a file
    "LANG": "C.UTF-8",
    "PYTHONPATH": str(root),
    "PYTHONDONTWRITEBYTECODE": "1",
    "KERAS_BACKEND": "tensorflow",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
    **kept,
  }


_PARENT: contextvars.ContextVar[_WarmParent | None] = contextvars.ContextVar(
  "warm parent", default=None
)
_SECONDS = 120  # that loading TensorFlow may take


@contextlib.contextmanager
def warm_children(*, at_once: bool = False) -> Iterator[None]:
  """Context in which sandboxes are forked from one process with TensorFlow.

  Many models then start fast: TensorFlow is loaded once, for the first model.
  Every model still has a sandbox of its own, confined in the same way. Within such a
  context, another one changes nothing.

  Args:
    at_once: whether to start that process now, so that it loads TensorFlow while this
      process does other work; by default it starts with the first model.

  Example:
    >>> from disentangle_tf import foreign
    >>> with foreign.warm_children():
    ...   pass  # open and ask one ForeignModel after another
  """
  if _PARENT.get() is not None:
    yield
    return
  parent = _WarmParent()
  token = _PARENT.set(parent)
  try:
    if at_once:
      parent.begin()
    yield
  finally:
    _PARENT.reset(token)
    parent.close()


def warm_parent() -> _WarmParent | None:
  """The process that forks children; None outside of `warm_children`."""
  return _PARENT.get()


class _WarmParent:
  """The client of `warm_parent`, which starts when it is first needed."""

  def __init__(self) -> None:
    self._process: subprocess.Popen[bytes] | None = None
    self._socket: socket.socket | None = None
    self._is_ready = False

  def start(self, errors: IO[bytes]) -> ForkedChild:
    """Start a child with pipes, with the methods of `subprocess.Popen`."""
    to_child, from_child = os.pipe(), os.pipe()
    streams = [to_child[0], from_child[1], errors.fileno()]
    number = int(self.ask("start", streams))
    for stream in streams[:2]:
      os.close(stream)
    return ForkedChild(
      self, number, os.fdopen(to_child[1], "wb", 0), os.fdopen(from_child[0], "rb", 0)
    )

  def ask(self, message: str, streams: Sequence[int] = ()) -> str:
    """Send a message, and return the answer."""
    server = self.begin()
    if not self._is_ready:
      if server.recv(100) != b"ready":
        raise RuntimeError("the process that forks children does not start")
      self._is_ready = True
    socket.send_fds(server, [message.encode()], streams)
    answer = server.recv(100).decode()
    if not answer:
      raise BrokenPipeError("the process that forks children has ended")
    return answer

  def close(self) -> None:
    """End the process, and with it every child."""
    if self._socket is not None:
      self._socket.close()
    if self._process is not None:
      self._process.kill()
      self._process.wait()

  def begin(self) -> socket.socket:
    """Start the process unless it runs, without waiting, and return its socket."""
    if self._socket is not None:
      return self._socket
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
      self._process = subprocess.Popen(
        [sys.executable, "-P", "-m", "disentangle_tf.foreign.sandbox.warm_parent"],
        stdin=theirs.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        cwd="/",
        start_new_session=True,
      )
    ours.settimeout(_SECONDS)
    self._socket = ours
    return ours


class ForkedChild:
  """A grandchild, with the methods of `subprocess.Popen` that are used here."""

  def __init__(
    self, parent: _WarmParent, number: int, stdin: IO[bytes], stdout: IO[bytes]
  ) -> None:
    self._parent = parent
    self._code = None
    self.pid = number
    self.stdin = stdin
    self.stdout = stdout

  def poll(self) -> int | None:
    if self._code is None:
      try:
        answer = self._parent.ask(f"poll {self.pid}")
      except OSError:  # the parent has ended, and its children with it
        answer = -signal.SIGKILL
      self._code = None if answer == "running" else int(answer)
    return self._code

  def kill(self) -> None:
    if self.poll() is None:
      os.kill(self.pid, signal.SIGKILL)

  def wait(self, timeout: float | None = None) -> int:
    timeout = _SECONDS if timeout is None else timeout
    deadline = time.monotonic() + timeout
    while (code := self.poll()) is None:
      if time.monotonic() > deadline:
        raise subprocess.TimeoutExpired("child", timeout)
      time.sleep(0.01)
    return code


Process = subprocess.Popen[bytes] | ForkedChild
