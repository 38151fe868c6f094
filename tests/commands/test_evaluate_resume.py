"""An interrupted comparison of models is resumed."""

import json
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from command_calls import call, measuring

from disentangle_tf.commands import evaluate


@pytest.fixture
def models(tmp_path):
  """Files of codes with increasing noise."""
  folder = tmp_path / "models"
  folder.mkdir()
  rng = np.random.default_rng(0)
  factors = rng.integers(4, size=(200, 2))
  for number, noise in enumerate((0.1, 1.0)):
    codes = factors + noise * rng.normal(size=factors.shape)
    np.savez(folder / f"model_{number}.npz", codes=codes, factors=factors)
  return folder


def run(models, *flags, num_points=100):
  words = ["--model", models, "--output_dir", models.parent / "out", *flags]
  return call(evaluate.main, *words, *measuring("mig", num_points=num_points))


def written(models):
  """{name of a model's folder: time at which its scores were written}."""
  scores = sorted((models.parent / "out").glob("*.npz/scores.json"))
  return {path.parent.name: path.stat().st_mtime_ns for path in scores}


def table(models):
  text = (models.parent / "out" / "comparison.md").read_text()
  return [line for line in text.splitlines() if "model_" in line]


def test_only_missing_models_are_scored(models, capsys):
  assert run(models) == 0
  whole, first = table(models), written(models)
  assert len(whole) == len(first) == 2
  head = (models.parent / "out" / "comparison.md").read_text().splitlines()[0]
  assert head == "| model | mig ↑ |"  # gin's wrapper of a metric keeps its directions
  capsys.readouterr()
  assert run(models) == 2
  assert "add --resume to continue it" in capsys.readouterr().err
  damaged = models.parent / "out" / "model_1.npz" / "scores.json"
  damaged.write_text(damaged.read_text()[:100])
  assert run(models, "--resume") == 0
  assert capsys.readouterr().out.count("scored before") == 1
  second = written(models)
  assert table(models) == whole and second["model_0.npz"] == first["model_0.npz"]
  # A changed model is scored again, and its earlier scores are kept. So is a new model.
  shutil.copy(models / "model_0.npz", models / "model_1.npz")
  (models / "further").mkdir()
  shutil.copy(models / "model_0.npz", models / "further" / "model_0.npz")
  assert run(models, "--resume") == 0
  assert capsys.readouterr().out.count("scored before") == 1
  third = written(models)
  assert len(third) == len(table(models)) == 3
  assert third["model_0.npz"] == first["model_0.npz"]
  assert third["model_1.npz"] > second["model_1.npz"]
  assert len(list((models.parent / "out").glob("model_1.npz.*/scores.json"))) == 2


def test_one_model(models, capsys):
  one = models / "model_0.npz"
  assert run(one) == 0
  scores = models / "out" / "scores.json"
  before, content = scores.stat().st_mtime_ns, json.loads(scores.read_text())
  capsys.readouterr()
  assert run(one, "--resume") == 0
  told = capsys.readouterr().out
  assert "scored before" in told and f"{content['scores']['mig']:.4f}" in told
  assert scores.stat().st_mtime_ns == before
  assert run(one, "--resume", num_points=99) == 2  # other settings
  assert "exists and is not empty" in capsys.readouterr().err


@pytest.mark.slow
def test_a_command_that_was_killed(models):
  """With SIGKILL, so that it cannot clean up."""
  out = models.parent / "out"
  words = ["--model", models, "--output_dir", out, *measuring("mig", num_points=100)]
  program = [sys.executable, "-m", "disentangle_tf.commands.evaluate"]
  started = subprocess.Popen([*program, *map(str, words)], stdout=subprocess.DEVNULL)
  deadline = time.monotonic() + 120
  while not (out / "comparison.html").exists() and time.monotonic() < deadline:
    time.sleep(0.02)
  started.kill()
  started.wait()
  assert len(written(models)) == 1
  assert run(models, "--resume") == 0
  assert len(table(models)) == 2
