"""Settings of the command line are used and recorded, or refused."""

import json
import textwrap

import numpy as np
import pytest
from command_calls import QUICK, binding_flags, call
from shared_checks import tiny_data

from disentangle_tf import evaluation, export, metrics, scoring
from disentangle_tf.commands import evaluate, perceive, study, train, visualize
from disentangle_tf.commands.gin_configuration import read_configuration
from disentangle_tf.errors import UserError

TINY = """\
from __gin__ import dynamic_registration
from disentangle_tf import data
DATA = @data.XYSquares()
data.XYSquares:
  image_size = 8
  square_size = 2
  grid_spacing = 2
  num_squares = 2
"""

FAST = ("--protocol", "fast")

CHEAP = """\
from __gin__ import dynamic_registration
from disentangle_tf import evaluation
from disentangle_tf import metrics
from disentangle_tf import scoring
evaluation.evaluate.measurements = [
    @a/scoring.Measurement(), @b/scoring.Measurement()]
evaluation.evaluate.num_points = 200
a/scoring.Measurement.metric = @metrics.mig
b/scoring.Measurement.metric = @metrics.mcc
"""


@pytest.fixture
def cheap(tmp_path):
  """Flags of a gin file with a short list of metrics."""
  path = tmp_path / "cheap.gin"
  path.write_text(CHEAP)
  return "--gin_file", path


@pytest.fixture
def tiny_gin(tmp_path):
  """A user's own gin file that sets DATA."""
  path = tmp_path / "tiny.gin"
  path.write_text(TINY)
  return path


def _scores(exported, folder, *words):
  """scores.json of the tiny export, read in this process."""
  arguments = ("--model", exported[0], "--trusted", "--output_dir", folder, *words)
  assert call(evaluate.main, *arguments) == 0
  return json.loads((folder / "scores.json").read_text())


@pytest.mark.parametrize("listed", [FAST, ("--gin_file", "gin/metrics/default.gin")])
def test_an_option_of_a_metric_is_used_and_recorded(exported, tmp_path, listed):
  result = _scores(
    exported, tmp_path / "out", *listed,
    *binding_flags(
      "metrics.mig.num_bins=7", "evaluation.evaluate.num_points='all'",
      "evaluation.evaluate.num_test_points=30",
      "metrics.dci.predictor='random_forest'",
    ),
  )  # fmt: skip
  data = tiny_data()
  factors = data.factors.to_factors(np.arange(len(data)))
  codes = exported[1].encode(data.observe(factors)).mean().numpy()
  wanted, usual = (metrics.mig(codes, factors, num_bins=n)["mig"] for n in (7, 20))
  assert result["scores"]["mig"] == pytest.approx(wanted, abs=1e-4)
  assert abs(wanted - usual) > 1e-3
  assert result["settings"]["mig"]["num_bins"] == 7
  assert result["settings"]["mig"]["num_points"] == "all"
  assert result["settings"]["dci_random_forest"]["predictor"] == "random_forest"
  assert "disentanglement_random_forest" in result["scores"]


def test_a_users_own_list_records_the_options_of_each_metric(exported, tmp_path):
  file = tmp_path / "mine.gin"
  file.write_text(
    textwrap.dedent("""\
      from __gin__ import dynamic_registration
      from disentangle_tf import evaluation
      from disentangle_tf import metrics
      from disentangle_tf import scoring
      evaluation.evaluate.measurements = [
          @a/scoring.Measurement(),
          @b/scoring.Measurement(),
          @c/scoring.Measurement(),
      ]
      scoring.Measurement.num_points = "all"
      a/scoring.Measurement.metric = @metrics.mig
      b/scoring.Measurement.metric = @wide/metrics.mig
      b/scoring.Measurement.prefix = "wide_"
      c/scoring.Measurement.metric = @metrics.mig
      c/scoring.Measurement.options = {"num_bins": 3}
      c/scoring.Measurement.prefix = "narrow_"
    """)
  )
  result = _scores(
    exported, tmp_path / "out", "--gin_file", file,
    *binding_flags("wide/metrics.mig.num_bins=40", "metrics.mig.num_bins=5"),
  )  # fmt: skip
  bins = {name: values["num_bins"] for name, values in result["settings"].items()}
  assert bins == {"mig": 5, "wide_mig": 40}
  assert result["skipped"]["narrow_mig"].endswith("it is the same as mig")
  data = tiny_data()
  factors = data.factors.to_factors(np.arange(len(data)))
  codes = exported[1].encode(data.observe(factors)).mean().numpy()
  for name, count in bins.items():
    wanted = metrics.mig(codes, factors, num_bins=count)["mig"]
    assert result["scores"][name] == pytest.approx(wanted, abs=1e-4)


def test_subsets_sampled_codes_and_repeats(exported, cheap, tmp_path):
  once = _scores(exported, tmp_path / "once", *cheap)
  assert once["repeats"] == 1 and once["deviations"] == {}
  result = _scores(
    exported, tmp_path / "out", *cheap,
    *binding_flags(
      "evaluation.evaluate.repeats=3", "evaluation.evaluate.sampled=True",
      "evaluation.evaluate.factors=['x_R', 'y_R']",
    ),
  )  # fmt: skip
  assert result["repeats"] == 3
  assert result["factors"] == ["x_R", "y_R"]
  assert result["data"]["arguments"]["names"] == ["x_R", "y_R"]
  assert {s["codes"] for s in result["settings"].values()} == {"sampled"}
  assert result["deviations"]["mig"] > 0
  assert set(result["deviations"]) == set(result["scores"])


def test_repeats_are_the_mean_and_deviation_over_seeds(exported, tmp_path):
  measurement = scoring.Measurement(metrics.mig, num_points=100)
  result = evaluation.evaluate(
    model=exported[0],
    measurements=[measurement],
    output_dir=tmp_path / "out",
    trusted=True,
    seed=4,
    repeats=3,
  )
  encode = export.ExportedModel(exported[0]).encode
  table = scoring.CodesTable.of_model(encode, tiny_data())
  values = [measurement.scores(table, seed=seed)["mig"] for seed in (4, 5, 6)]
  assert result["scores"]["mig"] == pytest.approx(np.mean(values), abs=1e-4)
  assert result["deviations"]["mig"] == pytest.approx(np.std(values, ddof=1), abs=1e-4)
  assert np.std(values) > 1e-3
  assert (tmp_path / "out" / "report.html").read_text().count(" ± ") == 1


DATA = ("--gin_file", "gin/data/xysquares_small.gin")
FIGURE = ("--gin_file", "gin/studies/michlo_figure_7.gin")


@pytest.mark.parametrize(
  ("main", "arguments", "binding"),
  [
    (train.main, QUICK, "models.FactorVAE.gamma=3.0"),
    (train.main, QUICK, "data.DSprites.shapes=(0,)"),
    (train.main, QUICK, "losses.gaussian_kernel.radius=3"),
    (train.main, QUICK, "training.train.output_dir='y'"),
    (train.main, QUICK, "evaluation.evaluate.seed=3"),
    (evaluate.main, FAST, "metrics.irs.num_bins=5"),
    (evaluate.main, FAST, "evaluation.evaluate.trusted=True"),
    (evaluate.main, FAST, "scoring.Measurement.num_points=9"),
    (evaluate.main, FAST, "data.XYSquares.num_squares=1"),
    (perceive.main, DATA, "losses.box_kernel.radius=3"),
    (perceive.main, DATA, "perceived.perceive.overwrite=True"),
    (perceive.main, DATA, "perceived.perceive.symmetric=False"),
    (perceive.main, DATA, "evaluation.evaluate.seed=1"),
    (visualize.main, (), "evaluation.evaluate.seed=1"),
    (visualize.main, (), "pictures.visualize.trusted=True"),
    (study.main, FIGURE, "studies.plot_levels.num_traversals=3"),
    (study.main, FIGURE, "training.train.steps=3"),
    (study.main, FIGURE, "studies.Study.resume=True"),
  ],
)
def test_a_setting_that_nothing_reads_is_named(
  main, arguments, binding, exported, tmp_path, monkeypatch, capfd
):
  monkeypatch.chdir(tmp_path)
  words = [*arguments, *binding_flags(binding), "--output_dir", "x"]
  if main in (evaluate.main, visualize.main):
    words += ["--model", str(exported[0])]
  assert call(main, *words) == 2
  (line,) = capfd.readouterr().err.strip().splitlines()
  assert f"--gin_bindings {binding}" in line
  assert not (tmp_path / "x").exists()


def test_a_setting_of_a_wider_scope_is_read_unless_a_narrower_one_hides_it():
  file = "gin/metrics/default.gin"
  listed = (
    "evaluation.evaluate.measurements=[@a/scoring.Measurement()]",
    "scoring.Measurement.metric=@metrics.mig",
  )
  taken = read_configuration([file], [*listed, "scoring.Measurement.num_points=5"])
  arguments = {"given": ("model", "output_dir")}
  taken.arguments_for(evaluation.evaluate, file, **arguments)
  taken.check_read()
  hidden = read_configuration(
    [file],
    [
      *listed,
      "scoring.Measurement.num_points=5",
      "a/scoring.Measurement.num_points=6",
    ],
  )
  hidden.arguments_for(evaluation.evaluate, file, **arguments)
  with pytest.raises(UserError, match="bindings scoring.Measurement.num_points=5: "):
    hidden.check_read()


def test_a_users_own_data_by_file(exported, cheap, tiny_gin, tmp_path):
  result = _scores(
    exported, tmp_path / "out", *cheap, "--data", str(tiny_gin),
    *binding_flags("data.XYSquares.grid_spacing=1"),
  )  # fmt: skip
  assert result["data"]["arguments"]["grid_spacing"] == 1


def test_data_set_twice_is_refused(exported, tiny_gin, tmp_path, capfd):
  for binding in (
    "evaluation.evaluate.data=@data.XYSquares()",
    "DATA=@data.DSprites()",
  ):
    words = ("--model", exported[0], "--data", tiny_gin, "--output_dir", tmp_path / "x")
    assert call(evaluate.main, *words, *binding_flags(binding)) == 2
    assert "keep one" in capfd.readouterr().err


@pytest.fixture
def own_module(tmp_path, monkeypatch):
  """(a module of the user's with a loss, a gin file that uses it)."""
  module = f"losses_{tmp_path.name}"  # gin keeps modules for the whole process
  (tmp_path / f"{module}.py").write_text(
    textwrap.dedent("""\
      from disentangle_tf import losses

      class Scaled(losses.MSE):
        def __init__(self, factor=1.0):
          super().__init__()
          self.factor = factor

        def distance(self, images, outputs):
          return self.factor * super().distance(images, outputs)
    """)
  )
  file = tmp_path / "mine.gin"
  file.write_text(
    "from __gin__ import dynamic_registration\n"
    f"import {module}\n"
    f"LOSS = @{module}.Scaled()\n"
  )
  monkeypatch.syspath_prepend(tmp_path)
  return module, file


def test_perceive_with_a_users_own_loss(own_module, tiny_gin, tmp_path):
  module, file = own_module
  means = []
  for factor in (1.0, 3.0):
    out = tmp_path / f"seen_{factor}"
    assert call(
      perceive.main, "--gin_file", tiny_gin, "--gin_file", file,
      *binding_flags(
        f"{module}.Scaled.factor={factor}", "perceived.perceive.num_pairs=50",
        "perceived.perceive.num_curve_pairs=60", "perceived.perceive.seed=3",
        "perceived.perceive.num_traversals=2",
      ),
      "--output_dir", out,
    ) == 0  # fmt: skip
    seen = json.loads((out / "importance.json").read_text())
    assert seen["loss"] == {"class": "Scaled", "factor": factor}
    assert seen["settings"] == {
      "num_pairs": 50,
      "num_curve_pairs": 60,
      "num_traversals": 2,
      "symmetric": True,
      "seed": 3,
    }
    means.append(seen["factors"]["x_R"]["mean"])
  assert means[1] == pytest.approx(3 * means[0])


def test_a_users_own_module_can_be_bound_in_a_run(own_module, capsys):
  module, file = own_module
  assert call(
    train.main, *QUICK, "--gin_file", file, "--dry_run",
    *binding_flags(f"{module}.Scaled.factor=2.5"),
  ) == 0  # fmt: skip
  assert f"{module}.Scaled.factor = 2.5" in capsys.readouterr().out
