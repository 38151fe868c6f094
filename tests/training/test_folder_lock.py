import json
import os
import signal
import socket
import subprocess
import sys

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.training.folder_lock import (
  LOCK,
  folder_lock,
  remove_lock_of_another_host,
)

HOLDER = """
import sys
from disentangle_tf.training.folder_lock import folder_lock
with folder_lock(sys.argv[1]):
  print("locked", flush=True)
  sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
  """Another process that holds the lock of `tmp_path` until its input ends."""
  process = subprocess.Popen(
    [sys.executable, "-c", HOLDER, tmp_path],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
  )
  assert process.stdout.readline() == "locked\n"
  yield process
  process.kill()
  process.communicate()


def _take(folder):
  with folder_lock(folder):
    return json.loads((folder / LOCK).read_text())


def test_it_names_host_and_process_and_goes_away(tmp_path):
  assert _take(tmp_path) == {"host": socket.gethostname(), "process": os.getpid()}
  assert not list(tmp_path.iterdir())


def test_another_process_is_kept_out_until_the_first_has_ended(holder, tmp_path):
  with pytest.raises(UserError, match=f"in use by process {holder.pid} on"):
    _take(tmp_path)
  assert (tmp_path / LOCK).exists()
  holder.communicate("")
  assert not (tmp_path / LOCK).exists()
  _take(tmp_path)


def test_what_a_killed_process_left_is_taken_over(holder, tmp_path):
  holder.send_signal(signal.SIGKILL)
  holder.wait()
  assert json.loads((tmp_path / LOCK).read_text())["process"] == holder.pid
  assert _take(tmp_path)["process"] == os.getpid()


def test_a_lock_of_another_host_is_believed(tmp_path):
  content = '{"host": "elsewhere", "process": 7}'
  (tmp_path / LOCK).write_text(content)
  with pytest.raises(UserError, match=f"process 7 on elsewhere.*remove .*{LOCK}"):
    _take(tmp_path)
  assert (tmp_path / LOCK).read_text() == content


@pytest.mark.parametrize("content", ["", "[]", "garbage"])
def test_a_lock_that_says_nothing_is_taken_over(tmp_path, content):
  (tmp_path / LOCK).write_text(content)
  assert _take(tmp_path)["process"] == os.getpid()


def test_a_folder_may_be_renamed_meanwhile(tmp_path):
  (tmp_path / "old").mkdir()
  with folder_lock(tmp_path / "old"):
    (tmp_path / "old").rename(tmp_path / "new")
  assert not list((tmp_path / "new").iterdir())


def test_only_a_lock_of_another_host_is_removed(tmp_path):
  remove_lock_of_another_host(tmp_path)  # there is none
  for host, stays in ((socket.gethostname(), True), ("elsewhere", False)):
    (tmp_path / LOCK).write_text(json.dumps({"host": host, "process": 1}))
    remove_lock_of_another_host(tmp_path)
    assert (tmp_path / LOCK).exists() == stays
