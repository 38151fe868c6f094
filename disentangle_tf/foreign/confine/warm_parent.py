"""The process that children are forked from when many models are to be run.

`python -m` with this module's name. It loads TensorFlow, which takes seconds, and never
sees anything of a stranger's. Each message on its socket is a line: "start", with the
three streams of a new child, is answered by the child's number; "poll NUMBER" by its
exit code, or "running". A forked child goes on as `child` does: it has one thread, no
files but its streams, and confines itself before it reads a stranger's first byte.
"""

import os
import socket
import sys

from disentangle_tf.foreign.confine import child, sandbox


def main():
  """Serves until the other end of its socket, standard input, is closed."""
  sandbox.end_with_parent()
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


def _start(requests, streams):
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


def _poll(number):
  found, status = os.waitpid(number, os.WNOHANG)
  return str(os.waitstatus_to_exitcode(status)) if found else "running"


if __name__ == "__main__":
  main()
