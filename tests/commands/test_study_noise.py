"""How noisy evaluations are: one command trains, scores several times, and draws."""

import json

import pyarrow.parquet
import pytest
from command_calls import MIG_ALONE, call
from figure_checks import read_png

from disentangle_tf.commands import study

STUDY = """
from __gin__ import dynamic_registration
from disentangle_tf import papers
from disentangle_tf import studies
studies.Study:
  runs = {"MSE": ["gin/runs/demo_mse.gin"]}
  seeds = 2
  plots = [@papers.locatello.plot_evaluation_noise]
  bindings = ["STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False"]
"""


@pytest.fixture
def files(tmp_path):
  """Flags of a study of two runs, as a function of the file of its metrics."""
  (tmp_path / "study.gin").write_text(STUDY)
  (tmp_path / "once.gin").write_text(MIG_ALONE)
  (tmp_path / "thrice.gin").write_text(
    f"{MIG_ALONE}\nevaluation.evaluate.repeats = 3\n"
  )

  def words(metrics):
    metrics = ("--gin_bindings", f"studies.Study.metrics='{tmp_path / metrics}'")
    out = ("--output_dir", tmp_path / "out")
    return ["--gin_file", tmp_path / "study.gin", *metrics, *out]

  return words


def test_scores_that_are_taken_once_are_refused_before_anything_is_trained(
  files, tmp_path, capfd
):
  assert call(study.main, *files("once.gin")) == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert "taken twice or more" in line and "gin/metrics/repeated.gin" in line
  assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_one_command_for_two_runs(files, tmp_path, capfd):
  assert call(study.main, *files("thrice.gin"), "--slots", 1) == 0
  out = tmp_path / "out"
  rows = pyarrow.parquet.read_table(out / "results.parquet").to_pylist()
  for seed in (0, 1):
    values = {row["score"]: row["value"] for row in rows if row["seed"] == seed}
    path = out / "MSE" / f"seed_{seed}" / "scores" / "scores.json"
    found = json.loads(path.read_text())
    repeats = found["scores_of_repeats"]["mig"]
    assert [values[f"repeat_{i}_mig"] for i in range(3)] == repeats
    assert len(set(repeats)) == 3
    assert values["mig"] == pytest.approx(sum(repeats) / 3)
  for name in ("evaluation_noise", "evaluation_agreement"):
    assert read_png(out / f"{name}.png").std() > 0.05  # something is drawn
    assert "n = 2" in (out / f"{name}.svg").read_text()
