"""Options of metrics: which of several values counts, and that it is recorded."""

import json

import pytest
from command_calls import QUICK, binding_flags, call
from shared_checks import tiny_data

from disentangle_tf import export, metrics, scoring
from disentangle_tf.commands import evaluate, train
from disentangle_tf.commands.evaluate import evaluate_arguments
from disentangle_tf.commands.metric_settings import metric_settings, protocol_names
from disentangle_tf.commands.study_configuration import read_study
from disentangle_tf.data import data_from_config
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.taken_measurements import taken_measurements

METRICS = [*protocol_names(), "gin/metrics/default.gin"]
OTHERS = {  # where neither half nor one more of the default is valid
  "predictor": ("lightgbm", "random_forest"),
  "correlation": ("spearman",),
  "limits": ((-3.0, 3.0),),
}
HEADER = """\
from __gin__ import dynamic_registration
from disentangle_tf import evaluation
from disentangle_tf import metrics
from disentangle_tf import scoring
"""


def _measured(metrics, *bindings):
  """{name: measurement} that the command takes from a protocol or gin file."""
  files, demanded = metric_settings(metrics)
  arguments = evaluate_arguments(
    files, [*demanded, *bindings], given=("model", "output_dir")
  )
  kept, _ = taken_measurements(arguments["measurements"])
  return {measurement.name: measurement for measurement in kept}


def _another(name, value):
  """Another valid value of an option."""
  if name in OTHERS:
    return next(other for other in OTHERS[name] if other != value)
  if isinstance(value, bool):
    return not value
  if isinstance(value, int):
    return value + 1
  if isinstance(value, float):
    return value / 2 or 0.25
  return value[:-1]  # of a tuple


@pytest.mark.parametrize("listed", METRICS)
def test_every_option_of_every_protocol(listed):
  options = {
    (measurement.metric, name)
    for measurement in _measured(listed).values()
    for name in measurement._options()
    if name != "num_jobs"
  }
  for metric, name in options:
    usual = [
      each.settings()[name]
      for each in _measured(listed).values()
      if each.metric is metric
    ]
    wanted = _another(name, usual[0])
    binding = f"metrics.{metric.__name__}.{name}={wanted!r}"
    found = [
      each for each in _measured(listed, binding).values() if each.metric is metric
    ]
    assert found
    for measurement in found:
      assert measurement.settings()[name] == wanted, binding
      assert name != "predictor" or measurement.name.endswith(f"_{wanted}")


def test_the_command_line_wins_over_a_protocol_in_the_scores(exported, tmp_path):
  bindings = {"batch_size": 3, "num_train": 60, "num_eval": 40}
  arguments = (
    "--model", exported[0], "--trusted", "--output_dir", tmp_path / "out",
    "--protocol", "mathieu_figure_2",
    *binding_flags(*(f"metrics.factor_vae_score.{n}={v}" for n, v in bindings.items())),
  )  # fmt: skip
  assert call(evaluate.main, *arguments) == 0
  result = json.loads((tmp_path / "out" / "scores.json").read_text())
  settings = result["settings"]["factor_vae_score"]
  assert bindings.items() <= settings.items()
  table = scoring.CodesTable.of_model(
    export.ExportedModel(exported[0]).encode, tiny_data()
  )
  by_hand = scoring.Measurement(
    metrics.factor_vae_score, options=bindings, prefix="factor_vae_"
  ).scores(table, seed=0)
  for name, value in by_hand.items():
    assert result["scores"][name] == pytest.approx(value), name


def test_both_predictors_of_a_metric_become_one():
  file = "locatello_small"
  assert {"downstream_task", "downstream_task_gradient_boosting"} <= set(
    _measured(file)
  )
  found = _measured(file, "metrics.downstream_task.predictor='gradient_boosting'")
  names = [name for name in found if name.startswith("downstream")]
  assert names == ["downstream_task_gradient_boosting"]
  both = _measured(file, "metrics.downstream_task.sizes=(10, 100, 500)")
  sizes = [m.settings()["sizes"] for n, m in both.items() if n.startswith("downstream")]
  assert sizes == [(10, 100, 500)] * 2


def test_the_order_in_which_options_count(tmp_path):
  listed = tmp_path / "listed.gin"
  listed.write_text(
    HEADER + "evaluation.evaluate.measurements = ["
    "@a/scoring.Measurement(), @b/scoring.Measurement()]\n"
    "scoring.Measurement.metric = @metrics.mig\n"
    "b/scoring.Measurement.prefix = 'own_'\n"
    "b/scoring.Measurement.options = {'num_bins': 3}\n"
    "metrics.mig.num_bins = 5\n"
  )
  protocol = tmp_path / "protocol.gin"
  protocol.write_text(
    HEADER + "evaluation.evaluate.measurements = %protocols.ZIETLOW_SMALL\n"
    "metrics.factor_vae_score.batch_size = 5\n"
  )

  def bins(*bindings):
    found = _measured(str(listed), *bindings)
    return {name: m.settings()["num_bins"] for name, m in found.items()}

  def batch(file, *bindings):
    found = _measured(file, *bindings)
    return found["factor_vae_score"].settings()["batch_size"]

  assert bins() == {"mig": 5, "own_mig": 3}
  # Then both are equal, and measured once.
  assert bins("metrics.mig.num_bins=7") == {"mig": 7}
  assert batch("zietlow_small") == 16
  assert batch(str(protocol)) == 5
  assert batch(str(protocol), "metrics.factor_vae_score.batch_size=7") == 7
  own = "b/scoring.Measurement.options={'num_bins': 9}"
  assert bins(own) == {"mig": 5, "own_mig": 9}
  with pytest.raises(UserError, match="set num_bins of own_mig twice"):
    bins(own, "metrics.mig.num_bins=7")


def test_a_setting_that_a_narrower_scope_hides_is_refused(tmp_path):
  file = tmp_path / "wide.gin"
  file.write_text(
    HEADER + "evaluation.evaluate.measurements = [@scoring.Measurement()]\n"
    "scoring.Measurement.metric = @wide/metrics.mig\n"
    "wide/metrics.mig.num_bins = 40\n"
  )
  with pytest.raises(UserError, match="another setting.*overrides this setting"):
    _measured(str(file), "metrics.mig.num_bins=5")


@pytest.mark.parametrize(
  ("binding", "words"),
  [
    ("scoring.Measurement.num_points=50", "evaluation.evaluate.num_points = 200"),
    ("scoring.Measurement.sampled=False", "evaluation.evaluate.sampled = True"),
    ("evaluation.evaluate.num_test_points=50", "none of these measurements reads it"),
  ],
)
def test_settings_of_all_and_of_each(binding, words, tmp_path):
  file = tmp_path / "all.gin"
  file.write_text(
    HEADER + "evaluation.evaluate.measurements = [@scoring.Measurement()]\n"
    "evaluation.evaluate.num_points = 200\n"
    "evaluation.evaluate.sampled = True\n"
    "scoring.Measurement.metric = @metrics.mig\n"
  )
  with pytest.raises(UserError, match=words):
    _measured(str(file), binding)


def test_scores_in_training_take_options_of_the_command_line(tmp_path):
  words = (
    *QUICK, "--output_dir", tmp_path / "run",
    *binding_flags(
      "STEPS=2", "BATCH_SIZE=8", "metrics.mig.num_bins=7",
      "metrics.dci.predictor='random_forest'",
      "training.Scoring.measurements=%protocols.MICHLO_DURING_TRAINING",
      "training.Scoring.every={'mig': 1, 'dci': 2}",
    ),
  )  # fmt: skip
  assert call(train.main, *words) == 0
  lines = (tmp_path / "run" / "scores.jsonl").read_text().splitlines()
  scores = json.loads(lines[1])["scores"]
  assert "disentanglement_random_forest" in scores
  exported = export.ExportedModel(tmp_path / "run" / "export")
  data = data_from_config(exported.manifest["data"])
  table = scoring.CodesTable.of_model(exported.encode, data)
  measured = (
    scoring.Measurement(metrics.mig, options={"num_bins": n}, num_points=2_000)
    for n in (7, 20)
  )
  chosen, usual = (each.scores(table, seed=0)["mig"] for each in measured)
  assert scores["mig"] == pytest.approx(chosen, rel=0.1)
  assert abs(chosen - usual) > 0.3 * chosen
  # A resumed run is compared with these settings.
  assert "metrics.mig.num_bins = 7" in (tmp_path / "run" / "config.gin").read_text()
  again = [*words, "--resume", *binding_flags("STEPS=4", "metrics.mig.num_bins=9")]
  assert call(train.main, *again) == 2


def test_a_study_refuses_settings_that_its_metrics_ignore():
  figure = ["gin/studies/michlo_figure_7.gin"]
  with pytest.raises(UserError, match="nothing here reads this setting"):
    read_study(figure, ["metrics.mig.num_bins=5"])
