import json
import os
import socket
import subprocess
import sys
import threading

import pytest
from containers import start_container

from disentangle_tf.process_identity import this_process
from disentangle_tf.studies import lease as leases
from disentangle_tf.studies.lease import (
  LEASE,
  LeaseWatch,
  claim,
  holder_ended_alone,
  holder_has_ended,
  is_held_by,
  read_lease,
  take_over,
)


def test_one_has_it_until_it_is_released(tmp_path):
  folder = tmp_path / "run"
  with claim(folder, slot=3) as lease:
    assert claim(folder) is None
    assert lease.is_held()
    content = read_lease(folder)
    assert (content["host"], content["process"]) == (socket.gethostname(), os.getpid())
    assert content["slot"] == 3
  assert read_lease(folder) is None
  claim(folder).release()


def test_of_many_threads_one_wins_each_name(tmp_path):
  won = []

  def take(number):
    for name in range(50):
      lease = claim(tmp_path / str(name))
      if lease:
        won.append((name, number))

  threads = [threading.Thread(target=take, args=(number,)) for number in range(4)]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  assert sorted(name for name, _ in won) == list(range(50))


def test_it_is_touched_while_it_is_held(tmp_path):
  lease = claim(tmp_path, heartbeat=0.01)
  os.utime(tmp_path / LEASE, (0, 0))
  waited = threading.Event()
  for _ in range(500):
    if (tmp_path / LEASE).stat().st_mtime > 0:
      break
    waited.wait(0.01)
  assert (tmp_path / LEASE).stat().st_mtime > 0
  lease.release()


def _of_another_host(folder):
  content = {"host": "elsewhere", "process": 1, "process_started": 2, "id": "abc"}
  folder.mkdir(exist_ok=True)
  (folder / LEASE).write_text(json.dumps(content))
  return content


def test_a_lease_of_another_host_expires_if_nothing_changes(tmp_path):
  now = [0.0]
  watch = LeaseWatch(expiry=10, clock=lambda: now[0])
  content = _of_another_host(tmp_path)
  os.utime(tmp_path / LEASE, (0, 0))  # its clock may be anything
  assert not holder_has_ended(content)
  assert not watch.has_expired(tmp_path)
  now[0] = 9.9
  assert not watch.has_expired(tmp_path)
  os.utime(tmp_path / LEASE, (1, 1))  # a heartbeat
  now[0] = 15.0
  assert not watch.has_expired(tmp_path)
  now[0] = 25.0
  assert watch.has_expired(tmp_path)
  (tmp_path / LEASE).unlink()
  assert not watch.has_expired(tmp_path)


def test_a_worker_of_this_machine_that_ended_is_known_at_once(tmp_path):
  script = (
    "import sys\nfrom disentangle_tf.studies.lease import claim\n"
    "claim(sys.argv[1])\nimport os\nos._exit(0)\n"
  )
  subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)
  assert holder_has_ended(read_lease(tmp_path))
  assert LeaseWatch().has_expired(tmp_path)
  with claim(tmp_path / "mine"):
    assert not LeaseWatch(expiry=1e9).has_expired(tmp_path / "mine")


CLAIM = """
import sys
from disentangle_tf.studies.lease import claim, read_lease, holder_has_ended
lease = claim(sys.argv[1], heartbeat=0.1)
print(read_lease(sys.argv[1])["process"], flush=True)
print(holder_has_ended(read_lease(sys.argv[2])), flush=True)
sys.stdin.read()
import os
os._exit(0)
"""


def test_containers_of_one_host_name_leave_each_others_leases(tmp_path):
  """The heartbeat alone counts, whatever has the process's number here."""
  now = [0.0]
  watch = LeaseWatch(expiry=10, clock=lambda: now[0])
  theirs, mine = tmp_path / "theirs", tmp_path / "mine"
  with claim(mine), start_container(CLAIM, theirs, mine) as container:
    assert container.stdout.readline() == "1\n"
    assert container.stdout.readline() == "False\n"  # of mine, as seen from there
    lease = read_lease(theirs)
    assert lease["host"] == socket.gethostname() and not is_held_by(lease, 1)
    for seconds in range(0, 60, 5):
      now[0] = float(seconds)
      assert not watch.has_expired(theirs)
      before = (theirs / LEASE).stat().st_mtime_ns
      for _ in range(100):  # until it is touched
        if (theirs / LEASE).stat().st_mtime_ns != before:
          break
        threading.Event().wait(0.05)
    assert watch.is_alive(theirs)
    container.communicate("")
  assert not watch.has_expired(theirs)  # it was touched since
  assert not holder_has_ended(lease) and not holder_ended_alone(lease)
  now[0] += 10
  assert watch.has_expired(theirs)
  assert take_over(theirs, lease)


def test_a_lease_is_alive_once_it_has_changed(tmp_path):
  watch = LeaseWatch()
  _of_another_host(tmp_path)
  assert not watch.is_alive(tmp_path)
  assert not watch.has_expired(tmp_path) and not watch.is_alive(tmp_path)
  os.utime(tmp_path / LEASE, (1, 1))
  assert not watch.has_expired(tmp_path) and watch.is_alive(tmp_path)


def test_a_worker_that_ended_before_its_parent_ended_alone(tmp_path):
  with claim(tmp_path):
    lease = read_lease(tmp_path)
    assert is_held_by(lease, os.getpid()) and not is_held_by(lease, os.getppid())
  assert not holder_ended_alone(lease)
  gone = {**lease, "process_started": 1}
  assert holder_ended_alone(gone)
  assert not holder_ended_alone(
    {**gone, "parent": {"process": 1, "process_started": 1}}
  )


def test_a_number_that_another_process_has_now_does_not_count(tmp_path):
  assert holder_has_ended({**this_process(), "process_started": 1})


def test_of_several_thieves_one_wins(tmp_path):
  content = _of_another_host(tmp_path)
  won = []
  threads = [
    threading.Thread(target=lambda: won.append(take_over(tmp_path, content)))
    for _ in range(8)
  ]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  assert sorted(won) == [False] * 7 + [True]
  assert list(tmp_path.iterdir()) == []


def test_a_thief_that_comes_late_leaves_the_new_lease(tmp_path):
  content = _of_another_host(tmp_path)
  assert take_over(tmp_path, content)
  with claim(tmp_path) as lease:
    assert not take_over(tmp_path, content)
    assert lease.is_held()


def test_a_holder_that_lost_it_does_not_remove_another_ones(tmp_path):
  lease = claim(tmp_path)
  assert take_over(tmp_path, read_lease(tmp_path))
  assert not lease.is_held()
  with claim(tmp_path) as other:
    lease.release()
    assert other.is_held()


@pytest.mark.parametrize("text", ["", "{", "5"])
def test_a_lease_that_is_being_written_says_nothing_yet(tmp_path, text):
  (tmp_path / LEASE).write_text(text)
  assert read_lease(tmp_path) == {}
  assert not leases.holder_has_ended({})
