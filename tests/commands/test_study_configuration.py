import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from command_calls import MIG_ALONE

from disentangle_tf.commands.study_configuration import (
  _is_passing,
  read_run,
  read_study,
  stop_at_warnings,
  stop_with_parent,
)
from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel
from disentangle_tf.studies.plan import plan_study
from disentangle_tf.studies.run import train_and_score

TINY = ["STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False"]

IMAGES = np.random.default_rng(0).random((3, 16, 16, 2), np.float32)


def test_runs_in_one_process_do_not_depend_on_each_other(tmp_path):
  """The second training of a process gives the weights and scores of the first."""
  (tmp_path / "mig.gin").write_text(MIG_ALONE)
  metrics = str(tmp_path / "mig.gin")
  (plan,) = plan_study(
    {"MSE": ["gin/runs/demo_mse.gin"]}, bindings=TINY, metrics=metrics
  )
  found = []
  for name in ("first", "second"):
    folder = tmp_path / name
    folder.mkdir()
    # As if left by a worker on another machine that has ended.
    lock = {"host": "elsewhere", "process": 1}
    (folder / "run.lock").write_text(json.dumps(lock))
    train_and_score(read_run(plan), folder)
    scores = json.loads((folder / "scores" / "scores.json").read_text())["scores"]
    codes, _ = ExportedModel(folder / "export").encode(IMAGES)
    found.append((codes, scores))
  (first, scores), (second, again) = found
  np.testing.assert_array_equal(first, second)
  assert scores == again and list(scores) == ["mig"]


def test_a_study_is_read_without_being_run():
  bindings = ["studies.Study.seeds = 2", "studies.plot_levels.num_traversals = 3"]
  found, text = read_study(["gin/studies/michlo_figure_10.gin"], bindings)
  assert list(found.runs) == ["box blur", "MSE"] and found.seeds == 2
  (plot,) = found.plots
  assert callable(plot)
  assert "studies.Study.seeds = 2" in text


def test_a_setting_that_no_plot_reads_is_refused():
  with pytest.raises(UserError, match="nothing here reads this setting"):
    read_study(
      ["gin/studies/michlo_figure_10.gin"], ["studies.plot_traversals.num_latents = 3"]
    )


def test_only_a_lack_of_memory_is_passing():
  exhausted = type("ResourceExhaustedError", (Exception,), {})
  assert _is_passing(exhausted()) and _is_passing(MemoryError())
  assert not _is_passing(ValueError())


def test_a_worker_stops_if_its_parent_has_already_ended(monkeypatch):
  monkeypatch.setenv("DTF_PARENT", str(os.getpid()))  # not the parent of this process
  with pytest.raises(KeyboardInterrupt):
    stop_with_parent()


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGUSR2])
def test_a_warning_stops_a_worker_unless_its_parent_does(number, monkeypatch):
  listened = (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM)
  before = {each: signal.getsignal(each) for each in listened}
  signal.signal(signal.SIGTERM, signal.default_int_handler)
  try:
    stop_at_warnings()
    with pytest.raises(KeyboardInterrupt):
      signal.raise_signal(number)
    monkeypatch.setenv("DTF_PARENT", str(os.getppid()))
    stop_at_warnings()
    signal.raise_signal(number)  # nothing happens
  finally:
    for each, handler in before.items():
      signal.signal(each, handler)


PARENT = """
import os, subprocess, sys, time
child = "import os, time; from disentangle_tf.commands import study_configuration"
child += "; study_configuration.stop_with_parent(); print(os.getpid(), flush=True)"
child += "; time.sleep(60)"
environment = {**os.environ, "DTF_PARENT": str(os.getpid())}
subprocess.Popen([sys.executable, "-c", child], env=environment, start_new_session=True)
time.sleep(60)
"""


def test_a_worker_ends_with_its_parent():
  parent = subprocess.Popen(
    [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True
  )
  worker = int(parent.stdout.readline())
  parent.kill()
  parent.wait()
  deadline = time.monotonic() + 30
  while os.path.exists(f"/proc/{worker}") and time.monotonic() < deadline:
    time.sleep(0.05)
  assert not os.path.exists(f"/proc/{worker}")
