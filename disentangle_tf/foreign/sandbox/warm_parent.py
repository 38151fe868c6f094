"""The process that forks sandboxes when many models are run.

`python -m` with this module's name starts it. It loads TensorFlow, which takes seconds,
and never reads a foreign file. Each message on its socket is a line. "start", with the
three streams of a new child, is answered by the child's number; "poll NUMBER" by its
exit code, or "running". A forked child continues as `child` does: it has one thread and
no files but its streams, and confines itself before it reads any foreign byte.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING

from disentangle_tf.foreign.sandbox import child, confinement

if TYPE_CHECKING:
  from collections.abc import Iterable


def main() -> None:
  """Serve until the other end of its socket, standard input, is closed."""
  confinement.end_with_parent()
  requests = socket.socket(fileno=os.dup(0))
  child.forgo_files()
  import keras  # noqa: F401
  import tensorflow  # noqa: F401

  requests.send(b"ready")
  while True:
    message, streams, *_ = socket.recv_fds(requests, 100, 3)
    if not message:
      os._exit(0)
    word, *numbers = message.split()
    if word == b"start":
      answer = str(_start(requests, streams))
    else:
      answer = _poll(int(numbers[0]))
    requests.send(answer.encode())


def _start(requests: socket.socket, streams: Iterable[int]) -> int:
  number = os.fork()
  if number == 0:
    try:
      requests.close()
      for target, stream in enumerate(streams):
        os.dup2(stream, target)
      os.closerange(3, 2**16)
      os.setsid()
      sys.stdin = open(0, closefd=False)  # noqa: SIM115  (buffered nothing yet)
      child.main()
    finally:
      os._exit(4)
  for stream in streams:
    os.close(stream)
  return number


def _poll(number: int) -> str:
  found, status = os.waitpid(number, os.WNOHANG)
  return str(os.waitstatus_to_exitcode(status)) if found else "running"


if __name__ == "__main__":
  main()
