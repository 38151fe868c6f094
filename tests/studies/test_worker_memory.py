"""A worker executes many runs without growing."""

import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
METRICS = """
from __gin__ import dynamic_registration

from disentangle_tf import evaluation
from disentangle_tf import scoring
from disentangle_tf import metrics

evaluation.evaluate.measurements = [@scoring.Measurement()]
scoring.Measurement.metric = @metrics.mig
evaluation.evaluate.num_points = 500
"""


@pytest.mark.slow
def test_memory_of_forty_runs_is_flat(tmp_path):
  (tmp_path / "mig.gin").write_text(METRICS)
  command = [sys.executable, "benchmarks/worker_memory.py", "--runs=40"]
  command.append(f"--metrics={tmp_path / 'mig.gin'}")
  text = subprocess.check_output(command, cwd=ROOT, text=True)
  found = json.loads(text.splitlines()[-1])
  assert len(found["mib"]) == 40
  assert found["mib_per_run"] < 5
