"""Whole studies: trained, scored, tabled, gone on with."""

import json
import os
import pathlib
import sys

import numpy as np
import pytest
from figure_checks import assert_shows
from shared_checks import tiny_data

from disentangle_tf.commands import study as study_command
from disentangle_tf.errors import UserError
from disentangle_tf.studies import FinishedRun, plot_score_strips, study
from disentangle_tf.studies.folder_name import folder_name
from disentangle_tf.studies.study import scores_table, write_results

RUNS = {"beta-VAE, MSE": ["gin/runs/demo_mse.gin"]}
TINY = ("STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False")
MIG_ALONE = """
from __gin__ import dynamic_registration
from disentangle_tf import evaluation
from disentangle_tf import metrics
evaluation.evaluate.measurements = (@evaluation.Measurement(),)
evaluation.Measurement.metric = @metrics.mig
evaluation.Measurement.num_points = 50
"""


OWN = """
from __gin__ import dynamic_registration
import squares_of_ones_own
DATA = @squares_of_ones_own.Squares()
squares_of_ones_own.Squares:
  num_squares = 1
  image_size = 8
  square_size = 2
  grid_spacing = 2
"""


def test_trains_scores_and_draws_and_goes_on(tmp_path, monkeypatch, capfd):
  (tmp_path / "mig.gin").write_text(MIG_ALONE)
  (tmp_path / "own.gin").write_text(OWN)
  (tmp_path / "squares_of_ones_own.py").write_text(
    "from disentangle_tf import data\nclass Squares(data.XYSquares):\n  pass\n"
  )
  places = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
  monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))
  options = {
    "runs": RUNS,
    "output_dir": tmp_path / "out",
    "sweep": {"BETA": [0.5]},
    "files": ["gin/losses/overlap.gin", f"{tmp_path}/own.gin"],
    "bindings": [*TINY, "losses.box_kernel.radius=3", "ALPHA=9"],
    "metrics": str(tmp_path / "mig.gin"),
    "plot": lambda finished: plot_score_strips(finished, scores={"mig": "MIG"}),
  }
  (found,) = study(**options)
  assert (found.run, found.settings, found.seed) == ("beta-VAE, MSE", {"BETA": 0.5}, 0)
  (row,) = json.loads((tmp_path / "out" / "study.json").read_text())
  assert row["export"] == "beta-VAE_MSE_BETA_0.5/seed_0/export"
  assert row["scores"] == found.scores and list(found.scores) == ["mig"]
  used = (found.export.parent / "config.gin").read_text()
  assert "BETA = 0.5" in used and "box_kernel.radius = 3" in used
  scored = json.loads((found.export.parent / "scores" / "scores.json").read_text())
  assert scored["data"]["class"] == "squares_of_ones_own.Squares"
  assert f"| {found.scores['mig']:.3f} |" in (tmp_path / "out/scores.md").read_text()
  assert_shows(tmp_path / "out" / "score_strips.png", [(0, 114 / 255, 178 / 255)])
  svg = (tmp_path / "out" / "score_strips.svg").read_text()
  assert "<!-- MIG -->" in svg and f"<!-- {found.scores['mig']:.2f} -->" in svg
  capfd.readouterr()
  assert study(**options, resume=True) == [found]
  assert "$ python" not in capfd.readouterr().out  # nothing was run again
  with pytest.raises(UserError, match="not empty: add --resume"):
    study(**options)
  with pytest.raises(UserError, match="seed_0 was made with other bindings"):
    study(**{**options, "bindings": TINY}, resume=True)


STUDY = """
from __gin__ import dynamic_registration
from disentangle_tf import studies
studies.study:
  runs = {{"diverging": ["{0}/diverging.gin"], "later": ["{0}/later.gin"]}}
  bindings = ["STEPS=2", "UNITS=(4,)", "training.Computing.jit_compile=False"]
  metrics = "{0}/mig.gin"
  plot = @studies.plot_score_strips
studies.plot_score_strips.scores = {{"mig": "MIG"}}
"""


def _run_study(folder, monkeypatch, *flags):
  """The exit code of bin/study.py; 0 if it just returns."""
  words = ["--gin_file", f"{folder}/study.gin", "--output_dir", f"{folder}/out", *flags]
  monkeypatch.setattr(sys, "argv", ["study.py", *words])
  try:
    study_command.main()
  except SystemExit as stopped:
    return stopped.code
  return 0


def test_runs_that_fail_are_recorded_and_tried_again(tmp_path, monkeypatch, capfd):
  start = 'include "gin/runs/demo_mse.gin"\n'
  for name, text in {
    "mig": MIG_ALONE,
    "study": STUDY.format(tmp_path),
    "diverging": f"{start}keras.optimizers.Adam.learning_rate = 1e30\n",
    "later": f'{start}include "gin/data/table.gin"\nPATH = "{tmp_path}/later.npz"\n',
  }.items():
    (tmp_path / f"{name}.gin").write_text(text)
  assert _run_study(tmp_path, monkeypatch) == 2
  errors = capfd.readouterr().err
  assert "study: error: no model was finished: " in errors.splitlines()[-1]
  diverging, later = json.loads((tmp_path / "out" / "failures.json").read_text())
  assert diverging["folder"] == "diverging/seed_0" and diverging["exit_code"] == 2
  assert "at step" in diverging["last_lines"][-1]
  assert "later.npz" in later["last_lines"][-1]
  assert later["last_lines"][-1] in errors  # it was seen at once
  data = tiny_data()
  factors = data.factors.to_factors(np.arange(len(data)))
  images = data.observe(factors).numpy()
  np.savez(tmp_path / "later.npz", images=images, factors=factors)
  assert _run_study(tmp_path, monkeypatch, "--resume") == 1
  output = capfd.readouterr()
  assert output.out.count("$ python bin/train.py") == 2
  assert "study: diverging/seed_0 failed: " in output.err
  (found,) = json.loads((tmp_path / "out" / "study.json").read_text())
  assert found["run"] == "later"
  (failed,) = json.loads((tmp_path / "out" / "failures.json").read_text())
  assert failed["run"] == "diverging"
  assert "1 of 2 models are missing" in (tmp_path / "out" / "scores.md").read_text()
  assert "1 of 2 models are missing" in output.out
  svg = (tmp_path / "out" / "score_strips.svg").read_text()
  assert "<!-- later -->" in svg and "<!-- diverging -->" not in svg


def test_figures_say_what_they_lack(tmp_path):
  finished = [FinishedRun("a", {}, 0, pathlib.Path(), {"mig": 0.5})]
  figures = plot_score_strips(finished, scores={"mig": "MIG"})
  write_results(tmp_path, finished, 2, lambda finished: figures)
  (text,) = figures["score_strips"].texts
  assert text.get_text() == "2 of 3 models are missing"


@pytest.mark.parametrize(
  ("wrong", "message"),
  [
    ({"runs": {}}, r"runs is \{\}, must be \{label: \[gin files\]\}"),
    ({"runs": ["a.gin"]}, "must be {label"),
    ({"runs": {"a": "a.gin"}}, "run 'a' is 'a.gin', must be a list of gin files"),
    ({"seeds": 0}, "seeds is 0"),
    ({"sweep": [0.5]}, r"sweep is \[0.5\], must be \{gin binding"),
    ({"sweep": {"BETA": 0.5}}, "sweep of BETA is 0.5, must be a list"),
    ({"bindings": "STEPS=2"}, "bindings is 'STEPS=2', must be a list"),
    ({"runs": {"a b": [], "a_b": []}}, "two runs would share the folder a_b/seed_0"),
    ({"sweep": {"BETA": []}}, r"sweep of BETA is \[\], must be a list"),
  ],
)
def test_mistakes_cost_a_line_and_leave_nothing(wrong, message, tmp_path):
  with pytest.raises(UserError, match=message):
    study(**{"runs": RUNS, "output_dir": tmp_path / "out", **wrong})
  assert not (tmp_path / "out").exists()


def test_the_table_has_medians_of_what_all_have():
  finished = [
    FinishedRun("a", {"BETA": 1}, seed, pathlib.Path(), {"mig": mig, "sap": 0.0})
    for seed, mig in enumerate([0.1, 0.9, 0.2])
  ] + [FinishedRun("b", {"BETA": 1}, 0, pathlib.Path(), {"mig": 0.5})]
  assert scores_table(finished).splitlines() == [
    "| run | BETA | seeds | mig |",
    "|---|---|---|---|",
    "| a | 1 | 3 | 0.200 |",
    "| b | 1 | 1 | 0.500 |",
  ]


def test_folder_names_are_safe_and_tell_settings_apart():
  settings = {"data.XYSquares.grid_spacing": 2, "BETA": 0.1}
  assert folder_name("../a b", settings) == "a_b_grid_spacing_2_BETA_0.1"
  assert folder_name("UNITS", {"UNITS": (4, 8)}) == "UNITS_UNITS_4_8"
