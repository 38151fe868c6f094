"""The process that forks children, used as `warm_children` does."""

import json
import os
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

from disentangle_tf.foreign.sandbox.warm_children import environment

pytestmark = pytest.mark.skipif(
  not sys.platform.startswith("linux"), reason="confines processes on Linux only"
)


@pytest.fixture
def parent():
  """(the socket to it, the process)."""
  ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
  process = subprocess.Popen(
    [sys.executable, "-P", "-m", "disentangle_tf.foreign.sandbox.warm_parent"],
    stdin=theirs.fileno(),
    env=environment(),
  )
  theirs.close()
  ours.settimeout(120)
  with ours:
    yield ours, process
  process.kill()
  process.wait()


def ask(parent, message, streams=()):
  socket.send_fds(parent, [message], streams)
  return parent.recv(100)


def test_a_child_does_its_task_and_its_end_is_told(parent, tmp_path):
  parent, process = parent
  np.save(tmp_path / "codes.npy", np.float32([[1, 2, 3]]))
  assert parent.recv(100) == b"ready"
  (read, write), (answers, given) = os.pipe(), os.pipe()
  child = int(ask(parent, b"start", [read, given, 2]))
  for stream in (read, given):
    os.close(stream)
  assert ask(parent, b"poll %d" % child) == b"running"  # it waits for its settings
  settings = {
    "task": "arrays",
    "path": str(tmp_path / "codes.npy"),
    "limits": {"memory_gib": 8, "seconds": 60},
  }
  os.write(write, json.dumps(settings).encode() + b"\n")
  os.close(write)
  with open(answers, "rb") as file:
    sandbox = json.loads(file.readline())
    description = json.loads(file.read(int(file.readline())))
    numbers = np.frombuffer(file.read(), "<f4")
  assert sandbox["memory_gib"] == 8
  assert description["arrays"]["codes"]["shape"] == [1, 3]
  np.testing.assert_array_equal(numbers, [1, 2, 3])
  deadline = time.monotonic() + 20
  while (state := ask(parent, b"poll %d" % child)) == b"running":
    assert time.monotonic() < deadline
    time.sleep(0.01)
  assert state == b"0"
  parent.close()
  assert process.wait(timeout=20) == 0
