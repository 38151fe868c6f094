"""Workers with runs that are made up, alone and side by side."""

import json
import os
import pathlib
import subprocess
import sys
import textwrap
import time

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.folders import RunFolder, StudyFolder
from disentangle_tf.studies.lease import (
  LEASE,
  LeaseWatch,
  claim,
  is_held_by,
  read_lease,
)
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.status import read_status
from disentangle_tf.studies.worker import StudyError, Worker, record_lost_attempt


def test_three_that_were_seen_are_a_failure(tmp_path):
  folder = RunFolder(tmp_path)
  how = {"run": "a", "exit_code": -9, "last_lines": ["killed"]}
  assert record_lost_attempt(folder, how, seen=True)
  assert record_lost_attempt(folder, {"host": "x"})
  assert record_lost_attempt(folder, how, seen=True)
  assert folder.state == "waiting"
  assert not record_lost_attempt(folder, how, seen=True)
  assert folder.state == "failed"
  assert folder.read_failure() == how
  folder.retry()
  assert record_lost_attempt(folder, how, seen=True)


def test_ten_that_were_only_found_are_a_failure(tmp_path):
  folder = RunFolder(tmp_path)
  for _ in range(9):
    assert record_lost_attempt(folder, {"host": "x"})
  assert not record_lost_attempt(folder, {"host": "x"})
  lost = json.loads((tmp_path / "lost_attempts.json").read_text())
  assert len(lost) == 10
  (line,) = folder.read_failure()["last_lines"]
  assert line == "lost 10 times, see lost_attempts.json"


def plans_of(count):
  return plan_study({"a": ["a.gin"]}, seeds=count, metrics="m.gin")


def finish(plan, folder):
  (folder / "scores").mkdir()
  (folder / "scores" / "scores.json").write_text(json.dumps({"seed": plan.seed}))


def _worker(folder, plans, perform=finish, **options):
  return Worker(folder, plans, perform, **{"say": lambda line: None, **options})


def test_every_run_is_done_once_in_order(tmp_path):
  done = []

  def perform(plan, folder):
    done.append(plan.seed)
    print("to the log")
    finish(plan, folder)

  plans = plans_of(5)
  assert not _worker(tmp_path, plans, perform).work()
  assert done == [0, 1, 2, 3, 4]
  folder = tmp_path / plans[3].run
  assert (folder / "log.txt").read_text() == "to the log\n"
  assert json.loads((folder / "timing.json").read_text())["seconds"] >= 0
  assert json.loads((folder / "run.json").read_text())["seed"] == 3
  assert not (folder / LEASE).exists()
  assert not _worker(tmp_path, plans, perform).work()
  assert len(done) == 5


def test_a_worker_takes_its_fill(tmp_path):
  plans = plans_of(5)
  assert _worker(tmp_path, plans, most_runs=2).work()
  assert len(list(tmp_path.rglob("scores.json"))) == 2


def test_a_worker_stops_once_its_memory_has_grown(tmp_path):
  held = []

  def perform(plan, folder):
    held.append(b"x" * 2**26)
    finish(plan, folder)

  assert _worker(tmp_path, plans_of(5), perform, most_growth=2**25).work()
  assert len(held) == 2  # the first run is not counted


def test_no_run_is_taken_that_might_not_end_in_time(tmp_path):
  def perform(plan, folder):
    time.sleep(0.05)
    finish(plan, folder)

  assert _worker(tmp_path, plans_of(50), perform, seconds=0.3).work()
  assert 1 <= len(list(tmp_path.rglob("scores.json"))) <= 6


def test_a_mistake_of_the_user_is_recorded_and_the_others_go_on(tmp_path):
  def perform(plan, folder):
    if plan.seed == 1:
      print("so far so good")
      raise UserError("there is no such file")
    finish(plan, folder)

  plans = plans_of(3)
  said = []
  assert not _worker(tmp_path, plans, perform, say=said.append).work()
  failure = json.loads((tmp_path / plans[1].run / "failure.json").read_text())
  assert failure == {
    "run": plans[1].run,
    "exit_code": 2,
    "last_lines": ["so far so good", "error: there is no such file"],
  }
  assert len(list(tmp_path.rglob("scores.json"))) == 2
  assert f"{plans[1].run}: failed: error: there is no such file" in said


def test_a_fault_of_ours_has_its_traceback_in_the_log(tmp_path):
  def perform(plan, folder):
    raise KeyError("ours")

  (plan,) = plans_of(1)
  _worker(tmp_path, [plan], perform).work()
  failure = json.loads((tmp_path / plan.run / "failure.json").read_text())
  assert failure["exit_code"] == 1
  assert "Traceback" in failure["last_lines"][0]


def test_three_runs_that_fail_alike_stop_the_study(tmp_path):
  def perform(plan, folder):
    raise UserError(f"the loss is nan at step {plan.seed}")

  with pytest.raises(StudyError, match="3 runs failed in the same way.*nan at step 2"):
    _worker(tmp_path, plans_of(9), perform).work()
  assert len(list(tmp_path.rglob("failure.json"))) == 3


def test_all_workers_of_a_study_stop_with_it(tmp_path):
  """Those that have nothing to do with the failures, too, until it goes on."""
  study, plans = StudyFolder(tmp_path), plans_of(9)
  other, done = _worker(tmp_path, plans), []

  def perform(plan, folder):
    if plan.seed in (3, 5, 7):
      raise UserError("no such file")
    finish(plan, folder)

  def interrupted(plan, folder):  # while it has a run, the others fail
    finish(plan, folder)
    if not done:
      done.append(plan.seed)
      with pytest.raises(StudyError, match="3 runs failed in the same way"):
        _worker(tmp_path, plans[1:8], perform).work()

  other.perform = interrupted
  with pytest.raises(StudyError, match="the last is a/seed_7: error: no such file"):
    other.work()
  assert study.run(plans[0]).state == "done" and study.run(plans[8]).state == "waiting"
  assert read_status(study, plans).to_text().endswith(f"stopped: {study.read_stop()}")
  study.go_on()
  assert not _worker(tmp_path, plans).work()
  assert study.run(plans[8]).state == "done"


def test_one_run_alone_is_taken(tmp_path):
  plans = plans_of(3)
  assert not _worker(tmp_path, plans).work(only=plans[1].run)
  assert [path.parents[1].name for path in tmp_path.rglob("scores.json")] == ["seed_1"]


def test_want_of_memory_is_tried_again_and_not_for_ever(tmp_path):
  def perform(plan, folder):
    raise MemoryError

  plans = plans_of(2)
  left = [_worker(tmp_path, plans, perform).work() for _ in range(6)]
  assert left == [True] * 6  # each in a process of its own
  assert not _worker(tmp_path, plans, perform).work()
  assert (
    json.loads((tmp_path / plans[0].run / "failure.json").read_text())["exit_code"] == 1
  )


def test_the_run_of_a_worker_that_is_gone_is_taken_over(tmp_path):
  (plan,) = plans_of(1)
  (tmp_path / plan.run).mkdir(parents=True)
  lease = {"host": "elsewhere", "process": 1, "process_started": 1, "id": "x"}
  (tmp_path / plan.run / LEASE).write_text(json.dumps(lease))
  now = [0.0]
  watch = LeaseWatch(expiry=60, clock=lambda: now[0])
  worker = _worker(tmp_path, [plan], watch=watch)
  assert not worker.work()
  assert not (tmp_path / plan.run / "scores").exists()  # it may yet end
  now[0] = 61.0
  assert not worker.work()
  assert (tmp_path / plan.run / "scores" / "scores.json").exists()
  (lost,) = json.loads((tmp_path / plan.run / "lost_attempts.json").read_text())
  assert (lost["lease"]["host"], lost["seen"]) == ("elsewhere", False)


def test_a_worker_awaits_a_sign_of_every_other_one(tmp_path):
  (plan,) = plans_of(1)
  folder = tmp_path / plan.run
  worker = _worker(tmp_path, [plan])
  with claim(folder):  # of this process, which runs
    assert not worker.work() and worker.awaits_a_sign()
    os.utime(folder / LEASE, (0, 0))  # a heartbeat
    assert not worker.work() and not worker.awaits_a_sign()
  assert not worker.work() and not worker.awaits_a_sign()
  assert (folder / "scores" / "scores.json").exists()


def test_another_configuration_is_refused(tmp_path):
  (plan,) = plans_of(1)
  _worker(tmp_path, [plan]).work()
  (tmp_path / plan.run / "scores" / "scores.json").unlink()
  (other,) = plan_study({"a": ["a.gin"]}, bindings=["X=1"], metrics="m.gin")
  with pytest.raises(UserError, match="bindings changed"):
    _worker(tmp_path, [other]).work()


SIDE_BY_SIDE = """
  import pathlib, sys, time
  sys.path.insert(0, {tests!r})
  from test_worker import finish, plans_of
  from disentangle_tf.studies.worker import Worker

  def perform(plan, folder):
    with open({log!r}, "a") as log:
      log.write(f"{{plan.seed}}\\n")
    time.sleep(0.02)
    finish(plan, folder)

  worker = Worker({folder!r}, plans_of(50), perform, say=lambda line: None)
  while len(list(pathlib.Path({folder!r}).glob("*/*/scores/scores.json"))) < 50:
    worker.work()
    time.sleep(0.05)
"""


def test_workers_side_by_side_do_every_run_once(tmp_path):
  """One of them is killed half-way: what it had is done by the others."""
  script = textwrap.dedent(SIDE_BY_SIDE).format(
    tests=str(pathlib.Path(__file__).parent),
    log=str(tmp_path / "log"),
    folder=str(tmp_path / "study"),
  )
  workers = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(3)]
  deadline = time.monotonic() + 60
  while time.monotonic() < deadline:
    if len(list(tmp_path.glob("study/*/*/scores/scores.json"))) >= 10:
      break
    time.sleep(0.01)
  workers[0].kill()
  assert [worker.wait(timeout=60) for worker in workers[1:]] == [0, 0]
  started = [int(line) for line in (tmp_path / "log").read_text().split()]
  assert sorted(set(started)) == list(range(50))
  assert len(started) <= 51  # the one that was killed, perhaps, twice
  assert len(list(tmp_path.glob("study/*/*/scores/scores.json"))) == 50
  for path in tmp_path.rglob(LEASE):  # killed between the end of a run and its release
    assert (path.parent / "scores" / "scores.json").exists()
    assert is_held_by(read_lease(path.parent), workers[0].pid)
