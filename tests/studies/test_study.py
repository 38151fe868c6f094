"""Whole studies: trained, scored, tabled, gone on with."""

import json
import pathlib

import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.studies import FinishedRun, draw_score_strips, study
from disentangle_tf.studies.folder_name import folder_name
from disentangle_tf.studies.study import scores_table

RUNS = {"beta-VAE, MSE": ["gin/runs/demo_mse.gin"]}
TINY = ("STEPS=2", "UNITS=(4,)", "training.train.jit_compile=False")
MIG_ALONE = """
from __gin__ import dynamic_registration
from disentangle_tf import evaluation
from disentangle_tf import metrics
evaluation.evaluate.measurements = (@evaluation.Measurement(),)
evaluation.Measurement.metric = @metrics.mig
evaluation.Measurement.num_points = 50
"""


def test_trains_scores_and_draws_and_goes_on(tmp_path, capfd):
  (tmp_path / "mig.gin").write_text(MIG_ALONE)
  options = {
    "runs": RUNS,
    "output_dir": tmp_path / "out",
    "sweep": {"BETA": [0.5]},
    "files": ["gin/losses/overlap.gin"],
    "bindings": [*TINY, "losses.box_kernel.radius=3", "ALPHA=9"],
    "metrics": str(tmp_path / "mig.gin"),
    "draw": lambda finished: draw_score_strips(finished, scores={"mig": "MIG"}),
  }
  (found,) = study(**options)
  assert (found.run, found.settings, found.seed) == ("beta-VAE, MSE", {"BETA": 0.5}, 0)
  (row,) = json.loads((tmp_path / "out" / "study.json").read_text())
  assert row["export"] == "beta-VAE_MSE_BETA_0.5/seed_0/export"
  assert row["scores"] == found.scores and list(found.scores) == ["mig"]
  used = (found.export.parent / "config.gin").read_text()
  assert "BETA = 0.5" in used and "box_kernel.radius = 3" in used
  assert f"| {found.scores['mig']:.3f} |" in (tmp_path / "out/scores.md").read_text()
  assert (tmp_path / "out" / "score_strips.svg").stat().st_size > 500
  capfd.readouterr()
  assert study(**options, resume=True) == [found]
  assert "$ python" not in capfd.readouterr().out  # nothing was run again
  with pytest.raises(UserError, match="not empty: add --resume"):
    study(**options)
  with pytest.raises(UserError, match="seed_0 was made with other bindings"):
    study(**{**options, "bindings": TINY}, resume=True)


def test_a_run_that_fails_ends_the_study(tmp_path, capfd):
  with pytest.raises(UserError, match=r"bin/train.py failed, and says why above"):
    study(runs={"x": ["gin/runs/demo_mes.gin"]}, output_dir=tmp_path / "out")
  assert "did you mean 'gin/runs/demo_mse.gin'" in capfd.readouterr().err
  assert not (tmp_path / "out" / "study.json").exists()


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
