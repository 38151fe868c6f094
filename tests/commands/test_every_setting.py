"""Every argument behind evaluate, perceive and visualize is recorded, or refused."""

import inspect
import json

import pytest
from command_calls import binding_flags, call
from manipulated_sets import write_manipulated

from disentangle_tf import evaluation, perceived, pictures
from disentangle_tf.commands import evaluate, perceive, visualize

TINY = """\
from __gin__ import dynamic_registration
from disentangle_tf import data
from disentangle_tf import evaluation
from disentangle_tf import metrics
DATA = @data.XYSquares()
OTHER = @other/data.XYSquares()
data.XYSquares:
  image_size = 8
  square_size = 2
  grid_spacing = 2
  num_squares = 2
other/data.XYSquares.grid_spacing = 1
"""
LISTED = [
  "evaluation.evaluate.measurements=[@scoring.Measurement()]",
  "scoring.Measurement.metric=@metrics.mcc",
]
EVALUATE = {
  "factors": ["x_R", "y_G"],
  "num_points": 70,
  "sampled": True,
  "seed": 3,
  "repeats": 2,
  "batch_size": 9,
  "factor_bins": 6,
}
PERCEIVE = {
  "num_pairs": 50,
  "num_curve_pairs": 40,
  "num_traversals": 2,
  "symmetric": False,
  "seed": 3,
}
VISUALIZE = {"num_traversals": 2, "seed": 3}
ELSEWHERE = {  # arguments that flags set, or a gin file's macro
  "evaluate": {
    *("model", "measurements", "output_dir", "data", "num_test_points", "reading"),
    *("trusted", "limits", "overwrite", "resume"),
  },
  "perceive": {"data", "loss", "model", "others", "rank_losses"},
  "visualize": {"model", "output_dir", "data", "table", "loss", "overwrite"},
}
# Arguments that the command sets itself.
REFUSED = [
  (evaluate.main, "evaluation.evaluate.model='x'"),
  (evaluate.main, "evaluation.evaluate.output_dir='x'"),
  (evaluate.main, "evaluation.evaluate.reading=None"),
  (evaluate.main, "evaluation.evaluate.trusted=False"),
  (evaluate.main, "evaluation.evaluate.limits=None"),
  (evaluate.main, "evaluation.evaluate.overwrite=True"),
  (evaluate.main, "evaluation.evaluate.resume=True"),
  (evaluate.main, "evaluation.evaluate.num_test_points=20"),  # MCC has no test points
  (perceive.main, "perceived.perceive.model='x'"),
  (visualize.main, "pictures.visualize.model='x'"),
  (visualize.main, "pictures.visualize.table='x'"),
  (visualize.main, "pictures.visualize.output_dir='x'"),
  (visualize.main, "pictures.visualize.overwrite=True"),
]


def _flags(function, settings):
  return binding_flags(*(f"{function}.{name}={v!r}" for name, v in settings.items()))


@pytest.fixture
def file(tmp_path):
  path = tmp_path / "tiny.gin"
  path.write_text(TINY)
  return "--gin_file", path


@pytest.mark.parametrize(
  ("function", "settings"),
  [
    (evaluation.evaluate, EVALUATE),
    (perceived.perceive, PERCEIVE),
    (pictures.visualize, VISUALIZE),
  ],
)
def test_no_argument_is_forgotten(function, settings):
  known = {*settings, *ELSEWHERE[function.__name__]}
  assert known == set(inspect.signature(function).parameters)


def test_evaluate_records_its_settings(exported, file, tmp_path):
  words = (
    "--model", exported[0], "--trusted", "--output_dir", tmp_path / "out", *file,
    "--limit_metric_seconds", "77", "--data", file[1],
    *binding_flags(*LISTED), *_flags("evaluation.evaluate", EVALUATE),
  )  # fmt: skip
  assert call(evaluate.main, *words) == 0
  result = json.loads((tmp_path / "out" / "scores.json").read_text())
  for name in ("seed", "repeats", "batch_size", "factor_bins", "factors"):
    assert result[name] == EVALUATE[name], name
  assert result["settings"]["mcc"]["num_points"] == 70
  assert result["settings"]["mcc"]["codes"] == "sampled"
  assert result["limits"]["metric_seconds"] == 77
  assert result["model"]["sandbox"]["skipped"].startswith("--trusted")
  assert result["data"]["arguments"]["data"]["arguments"]["grid_spacing"] == 2
  assert len(result["scores_of_repeats"]["mcc"]) == 2
  page = (tmp_path / "out" / "report.html").read_text()
  assert "repeats" in page and "metric_seconds 77" in page


def test_perceive_records_its_settings(exported, file, tmp_path):
  words = (
    *file, "--gin_file", "gin/losses/mae.gin", "--rank_losses",
    "--model", exported[0], "--trusted", "--output_dir", tmp_path / "out",
    *_flags("perceived.perceive", PERCEIVE),
    *binding_flags("perceived.perceive.others={'other': %OTHER}"),
  )  # fmt: skip
  assert call(perceive.main, *words) == 0
  seen = json.loads((tmp_path / "out" / "importance.json").read_text())
  assert seen["settings"] == PERCEIVE
  assert seen["loss"]["class"] == "MAE"
  assert seen["others"]["other"]["arguments"]["grid_spacing"] == 1
  assert seen["model"]["path"] == str(exported[0])
  assert "encode by encode" in seen["model"]["read_as"]
  assert (tmp_path / "out" / "ranking.md").exists()


def test_visualize_records_its_settings(exported, file, tmp_path):
  words = (
    *file, "--gin_file", "gin/losses/mae.gin",
    "--model", exported[0], "--trusted", "--output_dir", tmp_path / "out",
    *_flags("pictures.visualize", VISUALIZE),
  )  # fmt: skip
  assert call(visualize.main, *words) == 0
  told = json.loads((tmp_path / "out" / "settings.json").read_text())
  assert VISUALIZE.items() <= told.items()
  assert told["loss"]["class"] == "MAE"
  assert told["data"]["arguments"]["grid_spacing"] == 2
  assert told["model"]["path"] == str(exported[0])


@pytest.mark.parametrize(("main", "binding"), REFUSED)
def test_arguments_set_by_the_command_are_refused(main, binding, exported, file, capfd):
  words = ["--model", exported[0], "--trusted", *file, "--output_dir", "/nowhere/x"]
  words += binding_flags(*(LISTED if main is evaluate.main else ()), binding)
  assert call(main, *words) == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert binding.partition("=")[0] in line


@pytest.mark.parametrize(
  ("main", "words", "message"),
  [
    (perceive.main, ["--resize", "4"], "--resize needs a model"),
    (perceive.main, ["--trusted"], "--trusted needs a model"),
    (visualize.main, ["--input_range", "0,255"], "--input_range needs a model"),
    (visualize.main, ["--limit_seconds", "3"], "--limit_seconds needs a model"),
    (
      visualize.main,
      binding_flags("pictures.visualize.num_traversals=3"),
      "pictures.visualize.num_traversals=3",
    ),
  ],
)
def test_flags_that_need_a_model(main, words, message, tmp_path, capfd):
  folder = write_manipulated(tmp_path / "hard")
  where = ["--data", "manipulated", *binding_flags(f"FOLDER='{folder}'")]
  assert call(main, *where, *words, "--output_dir", tmp_path / "out") == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert message in line
  assert not (tmp_path / "out").exists()
