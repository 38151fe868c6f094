import json
import os
import pathlib
import signal
import sys
import threading
import time

import pytest

from disentangle_tf.studies.executors import local
from disentangle_tf.studies.executors.local import LocalExecutor, Slot, local_slots
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.lease import LEASE, claim
from disentangle_tf.studies.plan import plan_study

FAKE = pathlib.Path(__file__).with_name("fake_worker.py")


@pytest.fixture
def study(tmp_path):
  plans = plan_study({"a": ["a.gin"]}, seeds=8, metrics="m.gin")
  folder = StudyFolder(tmp_path)
  folder.write_plans(plans)
  return folder, plans


def _executor(study, *words, slots=2):
  folder, plans = study
  command = [sys.executable, str(FAKE), str(folder.path), *words]
  return LocalExecutor(local_slots(slots), command, folder, plans)


def test_all_runs_are_done_by_workers_that_take_three_at_a_time(study):
  folder, plans = study
  assert _executor(study).run() is None
  assert set(folder.states(plans).values()) == {"done"}
  assert not list(folder.path.rglob(LEASE))


def test_a_lost_worker_is_replaced_and_its_run_tried_again(study):
  folder, plans = study
  assert _executor(study, "killed_once", slots=1).run() is None
  assert set(folder.states(plans).values()) == {"done"}
  (lost,) = json.loads((folder.path / plans[0].run / "lost_attempts.json").read_text())
  assert lost["seen"] and lost["exit_code"] == -9
  assert lost["last_lines"][-1] == (
    "the worker was ended by SIGKILL, perhaps because it ran out of memory"
  )


def test_a_run_that_always_kills_its_worker_fails(study):
  folder, plans = study
  _executor(study, "always_killed").run()
  states = folder.states(plans)
  assert states.pop(plans[1].run) == "failed"
  assert set(states.values()) == {"done"}
  failure = folder.run(plans[1]).read_failure()
  assert failure["run"] == plans[1].run
  assert (folder.path / plans[1].run / "attempts").read_text() == "xxx"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR2])
def test_signals_reach_the_workers_and_leave_no_lease(study, number):
  folder, plans = study

  def send():
    while len(list(folder.path.rglob("attempts"))) < 2:
      time.sleep(0.02)
    os.kill(os.getpid(), number)
    os.kill(os.getpid(), number)  # impatience changes nothing

  before = signal.getsignal(number)
  sender = threading.Thread(target=send)
  sender.start()
  assert _executor(study, "slow").run() == number
  sender.join()
  assert signal.getsignal(number) is before
  assert set(folder.states(plans).values()) == {"waiting"}


def test_slots_share_cores_and_take_gpus_in_turn():
  assert local_slots(2, cores=4) == [Slot(4), Slot(4)]
  assert local_slots(1)[0].cores == os.cpu_count()
  assert local_slots(1_000)[3].cores == 1
  assert [slot.gpu for slot in local_slots(4, cores=8, gpus=2)] == [0, 1, 0, 1]
  variables = Slot(3, gpu=1).environment()
  assert variables["CUDA_VISIBLE_DEVICES"] == "1"
  assert variables["TF_NUM_INTRAOP_THREADS"] == variables["OMP_NUM_THREADS"] == "3"
  assert Slot(3).environment()["CUDA_VISIBLE_DEVICES"] == ""


def test_workers_that_end_by_an_error_are_not_started_again(study):
  folder, plans = study
  assert _executor(study, "broken").run() is None
  assert set(folder.states(plans).values()) == {"waiting"}


def test_runs_of_others_are_waited_for(study, monkeypatch):
  """Nothing is started meanwhile; a run that they lose is done."""
  folder, plans = study
  monkeypatch.setattr(local, "_POLL_OTHERS", 0.1)
  for plan in plans[1:]:
    scores = folder.run(plan).scores
    scores.parent.mkdir(parents=True)
    scores.write_text("{}")
  theirs = claim(folder.run(plans[0]).path)  # this process, which does not end
  executor = _executor(study)
  waiting = threading.Thread(target=lambda: (time.sleep(1), theirs.release()))
  waiting.start()
  assert not folder.run(plans[0]).log.exists()
  assert executor.run() is None
  waiting.join()
  assert set(folder.states(plans).values()) == {"done"}
