import shutil
import subprocess
import sys
import time

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.executors.slurm import SlurmWorker, submit_to_slurm
from disentangle_tf.studies.folders import StudyFolder
from disentangle_tf.studies.plan import plan_study

OPTIONS = {"cores": 1, "gpus": 0, "minutes": 10, "memory_gib": 1, "partition": None}


def test_without_submitit_the_line_says_what_to_install(monkeypatch, tmp_path):
  monkeypatch.setitem(sys.modules, "submitit", None)
  with pytest.raises(UserError, match=r'pip install "disentangle_tf\[slurm\]"'):
    submit_to_slurm(tmp_path, [], workers=1, **OPTIONS)


@pytest.fixture
def study(tmp_path):
  study = StudyFolder(tmp_path)
  study.write_plans(plan_study({"a": ["a.gin"]}, seeds=4, metrics="m.gin"))
  return study


@pytest.fixture
def command(tmp_path, request):
  fake = request.path.with_name("fake_worker.py")
  return [sys.executable, str(fake), str(tmp_path)]


def test_a_job_keeps_a_worker_going_until_all_is_done(study, command):
  SlurmWorker(str(study.path), command, cores=1)()
  assert set(study.states(study.read_plans()).values()) == {"done"}


@pytest.fixture
def slurm():
  pytest.importorskip("submitit", reason='pip install "disentangle_tf[slurm]"')
  sinfo = shutil.which("sinfo")
  if not sinfo or subprocess.run([sinfo], capture_output=True).returncode:
    pytest.skip("needs a Slurm that answers")


def _wait_until(condition, seconds):
  deadline = time.monotonic() + seconds
  while not condition():
    assert time.monotonic() < deadline
    time.sleep(1)


def _all_done(study):
  return lambda: set(study.states(study.read_plans()).values()) == {"done"}


@pytest.mark.slow
@pytest.mark.usefixtures("slurm")
def test_an_array_of_jobs_does_a_study(study, command):
  assert submit_to_slurm(study.path, command, workers=2, **OPTIONS).isdigit()
  _wait_until(_all_done(study), 120)


@pytest.mark.slow
@pytest.mark.usefixtures("slurm")
def test_jobs_that_are_stopped_go_on_from_their_checkpoints(study, command):
  """Both run into their time limit; one is requeued by hand before that."""
  plans = plan_study({"a": ["a.gin"]}, seeds=2, metrics="m.gin")
  study.write_plans(plans)
  options = {**OPTIONS, "minutes": 3}  # Slurm warns the job within 90 seconds
  array = submit_to_slurm(study.path, [*command, "steps"], workers=2, **options)
  folders = [study.run(plan).path for plan in plans]
  _wait_until(lambda: all((folder / "steps").exists() for folder in folders), 60)
  subprocess.run(["scontrol", "requeue", f"{array}_1"], check=True)
  # Slurm would let a job that is requeued wait for two minutes.
  hurry = ["scontrol", "update", f"JobId={array}", "StartTime=now"]

  def is_done():
    subprocess.run(hurry, capture_output=True)  # there may be none to hurry
    return _all_done(study)()

  _wait_until(is_done, 600)
  for folder in folders:
    steps = (folder / "steps").read_text().split()
    assert [int(step) for step in steps] == list(range(100))  # none was taken twice
    assert (folder / "attempts").read_text().startswith("xx")
    assert not (folder / "lost_attempts.json").exists()
