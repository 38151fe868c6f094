import errno
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys

import pytest
from containers import kill_container, start_container

from disentangle_tf.errors import UserError
from disentangle_tf.process_identity import this_process
from disentangle_tf.training import folder_lock as module
from disentangle_tf.training.folder_lock import (
  LOCK,
  folder_lock,
  remove_lock_of_another_machine,
)

# The module alone: the package around it loads TensorFlow, which takes seconds.
HOLDER = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("lock", {module.__file__!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
with module.folder_lock(sys.argv[1]):
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


def test_it_names_machine_and_process_and_goes_away(tmp_path):
  assert _take(tmp_path) == this_process()
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


def test_only_a_lock_of_another_machine_is_removed(tmp_path):
  remove_lock_of_another_machine(tmp_path)  # there is none
  host = {"host": socket.gethostname(), "process": 1}
  for holder, stays in (
    (this_process(), True),
    ({**this_process(), "namespace": "of a container"}, True),
    ({**this_process(), "boot": "another"}, False),
    (host, True),
    ({**host, "host": "elsewhere"}, False),
  ):
    (tmp_path / LOCK).write_text(json.dumps(holder))
    remove_lock_of_another_machine(tmp_path)
    assert (tmp_path / LOCK).exists() == stays


@pytest.fixture(params=[True, False], ids=["locks", "no_locks"])
def file_system(request, monkeypatch):
  """One whose locks the kernel keeps, and one that has none."""
  if not request.param:
    monkeypatch.setattr(fcntl, "flock", _no_locks)


@pytest.mark.usefixtures("file_system")
def test_a_container_of_the_same_host_name_is_kept_out(tmp_path):
  with start_container(HOLDER, tmp_path) as container:
    assert container.stdout.readline() == "locked\n"
    content = (tmp_path / LOCK).read_text()
    with pytest.raises(UserError, match="in use by process 1 on"):
      _take(tmp_path)
    assert (tmp_path / LOCK).read_text() == content
    container.communicate("")
  _take(tmp_path)


def test_what_a_killed_container_left_is_taken_over(tmp_path):
  with start_container(HOLDER, tmp_path) as container:
    assert container.stdout.readline() == "locked\n"
    kill_container(container)
  assert (tmp_path / LOCK).exists()
  assert _take(tmp_path) == this_process()


def test_another_machine_of_the_same_host_name_is_believed(tmp_path):
  (tmp_path / "boot_id").write_text("another\n")
  folder = tmp_path / "run"
  folder.mkdir()
  boot_id = tmp_path / "boot_id"
  with start_container(HOLDER, folder, boot_id=boot_id) as container:
    assert container.stdout.readline() == "locked\n"
    kill_container(container)
  with pytest.raises(UserError, match=f"process 1 on .*remove .*{LOCK}"):
    _take(folder)
  remove_lock_of_another_machine(folder)
  _take(folder)


def test_without_locks_the_number_of_the_process_counts(holder, tmp_path, monkeypatch):
  monkeypatch.setattr(fcntl, "flock", _no_locks)
  with pytest.raises(UserError, match=f"in use by process {holder.pid} on"):
    _take(tmp_path)
  holder.kill()
  holder.wait()
  assert _take(tmp_path) == this_process()


def _no_locks(*_):
  raise OSError(errno.ENOLCK, "No locks available")
