import shutil
import sys
import time

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies.executors.slurm import SlurmWorker, submit_to_slurm
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.study_folder import StudyFolder

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


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("sbatch"), reason="needs a Slurm to submit to")
def test_an_array_of_jobs_does_a_study(study, command):
  pytest.importorskip("submitit", reason='pip install "disentangle_tf[slurm]"')
  assert submit_to_slurm(study.path, command, workers=2, **OPTIONS).isdigit()
  deadline = time.monotonic() + 120
  states = {}
  while set(states.values()) != {"done"} and time.monotonic() < deadline:
    time.sleep(1)
    states = study.states(study.read_plans())
  assert set(states.values()) == {"done"}
