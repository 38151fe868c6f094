"""Nonsense for any option of a metric costs one line, that names it."""

import numpy as np
import pytest
from measured_tables import decoding_table, table_of_nine

from disentangle_tf import metrics
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.priors import IsotropicNormal
from disentangle_tf.scoring import CodesTable, Measurement, protocols
from disentangle_tf.scoring.measurement import check_measurements

METRICS = sorted({m.metric for m in protocols.FULL}, key=lambda metric: metric.__name__)
NONSENSE = ("a", -1.5, {}, float("inf"))


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.__name__)
def test_nonsense_for_an_option_is_named(metric):
  few = {"sizes": (10,)} if metric is metrics.downstream_task else {}
  for name in Measurement(metric)._options():
    for value in NONSENSE:
      options = {**few, name: value}
      bad = Measurement(metric, options=options, num_points=30, num_test_points=20)
      with pytest.raises(UserError, match=name):
        bad.scores(decoding_table(), seed=0, prior=IsotropicNormal())


@pytest.mark.parametrize(
  ("metric", "words"),
  [
    (metrics.udr, "udr asks for codes_of_models"),
    (metrics.distance_agreement, "asks for factor_distances"),
  ],
)
def test_what_a_measurement_cannot_give_is_named(metric, words):
  with pytest.raises(UserError, match=words):
    Measurement(metric)


def test_a_matrix_is_no_score():
  matrix = Measurement(metrics.irs_matrix, num_points=30)
  with pytest.raises(UserError, match="irs_matrix returns a ndarray: a metric must"):
    matrix.scores(table_of_nine(), seed=0)


@pytest.mark.parametrize(
  ("measurement", "score", "direction"),
  [
    (Measurement(metrics.mig), "mig", "higher"),
    (Measurement(metrics.dci), "informativeness_train", "higher"),
    (Measurement(metrics.dci_lightgbm), "informativeness_train_lightgbm", "higher"),
    (Measurement(metrics.dci_lightgbm), "informativeness_test_lightgbm", "higher"),
    (Measurement(metrics.explicitness), "explicitness_train", "higher"),
    (
      Measurement(metrics.beta_vae_score, prefix="beta_vae_"),
      "beta_vae_train_accuracy",
      "higher",
    ),
    (
      Measurement(metrics.factor_vae_score, prefix="factor_vae_"),
      "factor_vae_active_latents",
      "neither",
    ),
    (
      Measurement(metrics.total_correlation, sampled=True, prefix="sampled_"),
      "sampled_gaussian_total_correlation",
      "lower",
    ),
    (
      Measurement(metrics.strong_generalisation, prefix="strong_generalisation_"),
      "strong_generalisation_strong_generalisation_gap",
      "lower",
    ),
    (Measurement(metrics.evidence), "reconstruction_nats", "lower"),
  ],
)
def test_a_score_has_the_direction_of_its_metric(measurement, score, direction):
  assert measurement.directions([score]) == {score: direction}


def test_the_direction_of_a_metric_of_ones_own():
  def silent(codes):
    return {"distance": float(abs(codes).mean())}

  @metrics.lower_is_better("distance")
  def stated(codes):
    return silent(codes)

  names = Measurement(silent, prefix="my_", num_points="all").scores(
    table_of_nine(), seed=0
  )
  assert list(names) == ["my_distance"]
  assert Measurement(silent, prefix="my_").directions(names) == {}
  mine = Measurement(stated, prefix="my_").directions(names)
  assert mine == {"my_distance": "lower"}


@pytest.mark.parametrize("measurement", protocols.FULL, ids=lambda each: each.name)
def test_prefixes_hide_no_direction(measurement):
  stated = [name.replace("*", "x") for name in measurement.metric.directions]
  names = [measurement.prefix + name for name in stated]
  expected = measurement.metric.directions.values()
  assert list(measurement.directions(names).values()) == list(expected)


def test_a_chosen_predictor_is_part_of_the_name():
  plain = Measurement(metrics.downstream_task)
  boosted = plain.with_metric(plain.metric, {"predictor": "gradient_boosting"})
  assert (plain.name, boosted.name) == (
    "downstream_task",
    "downstream_task_gradient_boosting",
  )


def test_an_option_without_a_default_can_be_given():
  def counted(codes, *, at_least):
    return {"counted": float((codes >= at_least).sum())}

  with pytest.raises(UserError, match="counted asks for at_least"):
    Measurement(counted)
  found = Measurement(counted, options={"at_least": -1e9}, num_points="all")
  assert found.scores(table_of_nine(), seed=0) == {"counted": 18.0}
  assert found.settings()["at_least"] == -1e9


@pytest.mark.parametrize(
  "bad",
  [
    {"options": 5},
    {"num_points": True},
    {"num_test_points": -5},
    {"sampled": "yes"},
    {"prefix": 5},
  ],
)
def test_nonsense_for_a_measurement_is_named(bad):
  (name,) = bad
  with pytest.raises(UserError, match=rf"^Measurement\.{name} is "):
    Measurement(metrics.mig, **bad)


@pytest.mark.parametrize("bad", [5, "a", [], [metrics.mig]])
def test_measurements_are_measurements(bad):
  with pytest.raises(UserError, match="must be a list of scoring.Measurement"):
    check_measurements(bad)


def test_a_metric_of_log_variances_alone_sees_points_too():
  space = FactorSpace(("a",), (40,))
  codes = np.zeros((40, 2), np.float32)
  log_variances = np.tile(np.float32([-3, 0]), (40, 1))
  table = CodesTable(codes, space, log_variances=log_variances)
  active = Measurement(metrics.active_latents, num_points="all")
  assert active.scores(table, seed=0) == {"active_latents_by_variance": 1.0}
  assert active.settings() == {"num_points": "all", "threshold": 0.8}
  assert "no log-variances" in active.missing_in(CodesTable(codes, space))


def test_settings_are_recorded_under_a_name_of_their_own():
  options = {"num_bins": 40}
  twice = [Measurement(metrics.mig), Measurement(metrics.mig, options=options)]
  with pytest.raises(UserError, match="two measurements are called mig"):
    check_measurements(twice)
  check_measurements([twice[0], Measurement(metrics.mig, prefix="x_")])
