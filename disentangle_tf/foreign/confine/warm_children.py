"""Forks confined processes from one that has TensorFlow, so that they start fast."""

import contextlib
import contextvars
import os
import signal
import socket
import subprocess
import sys
import time

from disentangle_tf.foreign.confine.environment import environment

_PARENT = contextvars.ContextVar("warm parent", default=None)
_SECONDS = 120  # that loading TensorFlow may take


@contextlib.contextmanager
def warm_children():
  """Within it, processes that run models are forked from one that has TensorFlow.

  Every model still has a process of its own, with the same walls. The first one to be
  started waits for TensorFlow to be loaded, as it would have to anyhow.
  """
  parent = _WarmParent()
  token = _PARENT.set(parent)
  try:
    yield
  finally:
    _PARENT.reset(token)
    parent.close()


def warm_parent():
  """What to `start` children with; None outside of `warm_children`."""
  return _PARENT.get()


class _WarmParent:
  """The other end of `warm_parent`, which starts when it is first needed."""

  def __init__(self):
    self._process = self._socket = None

  def start(self, errors):
    """A child, with pipes to it, which answers as `subprocess.Popen` does."""
    if self._process is None:
      self._open()
    to_child, from_child = os.pipe(), os.pipe()
    streams = [to_child[0], from_child[1], errors.fileno()]
    number = int(self.ask("start", streams))
    for stream in streams[:2]:
      os.close(stream)
    return _ForkedChild(
      self, number, os.fdopen(to_child[1], "wb", 0), os.fdopen(from_child[0], "rb", 0)
    )

  def ask(self, message, streams=()):
    """The answer to a message."""
    socket.send_fds(self._socket, [message.encode()], streams)
    answer = self._socket.recv(100).decode()
    if not answer:
      raise BrokenPipeError("the process that children are forked from is gone")
    return answer

  def close(self):
    """Ends the process, and with it all that it started."""
    if self._process is not None:
      self._socket.close()
      self._process.kill()
      self._process.wait()

  def _open(self):
    self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
      self._process = subprocess.Popen(
        [sys.executable, "-P", "-m", "disentangle_tf.foreign.confine.warm_parent"],
        stdin=theirs.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        cwd="/",
        start_new_session=True,
      )
    self._socket.settimeout(_SECONDS)
    if self._socket.recv(100) != b"ready":
      raise RuntimeError("the process that children are forked from does not start")


class _ForkedChild:
  """A grandchild, with those methods of `subprocess.Popen` that are used of it."""

  def __init__(self, parent, number, stdin, stdout):
    self._parent = parent
    self._code = None
    self.pid = number
    self.stdin = stdin
    self.stdout = stdout

  def poll(self):
    if self._code is None:
      try:
        answer = self._parent.ask(f"poll {self.pid}")
      except OSError:  # the parent is gone, and its children are killed with it
        answer = -signal.SIGKILL
      self._code = None if answer == "running" else int(answer)
    return self._code

  def kill(self):
    if self.poll() is None:
      os.kill(self.pid, signal.SIGKILL)

  def wait(self, timeout=None):
    deadline = time.monotonic() + (_SECONDS if timeout is None else timeout)
    while self.poll() is None:
      if time.monotonic() > deadline:
        raise subprocess.TimeoutExpired("child", timeout)
      time.sleep(0.01)
    return self._code
