import json
import os
import socket
import subprocess
import sys

import pytest
from containers import start_container

from disentangle_tf.process_identity import (
  can_be_seen,
  has_ended,
  is_of_this_machine,
  this_parent,
  this_process,
)

PRINT = """
import json, sys
from disentangle_tf.process_identity import this_process
print(json.dumps(this_process()), flush=True)
sys.stdin.read()
"""


def _identity_of(process):
  return json.loads(process.stdout.readline())


@pytest.fixture
def neighbour():
  process = subprocess.Popen(
    [sys.executable, "-c", PRINT],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
  )
  yield process
  process.kill()
  process.communicate()


def test_this_process_and_its_parent_run():
  identity = this_process()
  assert identity["host"] == socket.gethostname()
  assert identity["process"] == os.getpid()
  assert is_of_this_machine(identity) and can_be_seen(identity)
  assert not has_ended(identity) and not has_ended(identity, this_parent())
  assert has_ended(
    {**identity, "process_started": 1}
  )  # another process has this PID now


def test_the_end_of_a_process_in_the_same_namespace_is_known(neighbour):
  identity = _identity_of(neighbour)
  assert identity["process"] == neighbour.pid and not has_ended(identity)
  neighbour.kill()
  neighbour.wait()
  assert has_ended(identity)


def test_nothing_is_known_of_a_process_in_another_container():
  """It has this host name and PID 1, which is another process here."""
  with start_container(PRINT) as process:
    identity = _identity_of(process)
    assert identity["host"] == socket.gethostname() and identity["process"] == 1
    assert is_of_this_machine(identity) and not can_be_seen(identity)
    assert not has_ended(identity)
    process.communicate("")
  assert not has_ended(identity)


def test_another_boot_id_is_another_machine_of_the_same_name(tmp_path):
  (tmp_path / "boot_id").write_text("another\n")
  with start_container(PRINT, boot_id=tmp_path / "boot_id") as process:
    identity = _identity_of(process)
    process.communicate("")
  assert identity["host"] == socket.gethostname() and identity["boot"] == "another"
  assert not is_of_this_machine(identity) and not can_be_seen(identity)


def test_numbers_of_another_namespaces_proc_are_not_believed():
  words = ["unshare", "--pid", "--fork", sys.executable, "-c", PRINT]
  try:
    done = subprocess.run(words, input="", capture_output=True, text=True)
  except FileNotFoundError:
    pytest.skip("there is no unshare")
  if done.returncode:
    pytest.skip("unshare makes no PID namespaces here")
  identity = json.loads(done.stdout)
  assert identity["process"] == 1 and identity["namespace"] is None
  assert not can_be_seen(identity) and not has_ended(identity)


def test_what_an_older_version_wrote_is_judged_by_the_host_name():
  for host, here in ((socket.gethostname(), True), ("elsewhere", False)):
    old = {"host": host, "process": os.getpid()}
    assert is_of_this_machine(old) == here
    assert not has_ended(old)
