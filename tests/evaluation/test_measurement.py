"""Nonsense for any option of a metric costs one line, that names it."""

import functools
import time

import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf import metrics
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation import CodesTable, Measurement, protocols
from disentangle_tf.evaluation.measurement import LimitError, check_measurements
from disentangle_tf.foreign.confine.limits import Limits
from disentangle_tf.priors import IsotropicNormal

METRICS = sorted({m.metric for m in protocols.FULL}, key=lambda metric: metric.__name__)
NONSENSE = ("a", -1.5, {}, float("inf"))


def _table():
  space = FactorSpace(("a", "b"), (3, 3))
  factors = space.to_factors(np.arange(9))
  noise = np.random.default_rng(0).normal(size=(9, 2))
  return CodesTable((factors + noise).astype(np.float32), space)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.__name__)
def test_nonsense_for_an_option_is_named(metric):
  few = {"sizes": (10,)} if metric is metrics.downstream_task else {}
  for name in Measurement(metric)._options():
    for value in NONSENSE:
      options = {**few, name: value}
      bad = Measurement(metric, options=options, num_points=30, num_test_points=20)
      with pytest.raises(UserError, match=name):
        bad.scores(_decoding_table(), seed=0, prior=IsotropicNormal())


@functools.cache
def _decoding_table(**options):
  """Of a linear model: each image has two numbers for a code, and they give it back."""
  data = tiny_data()
  angles = np.random.default_rng(0).normal(size=(2, 8 * 8 * 2)).astype(np.float32)

  def encode(images):
    means = images.reshape(len(images), -1) @ angles.T
    return means, np.tile(np.float32([-3.0, -2.0]), (len(means), 1))

  def decode(codes):
    return (codes @ angles).reshape(-1, *data.observation_shape)

  asked = {"decode": decode, "reconstruct": lambda images: decode(encode(images)[0])}
  return CodesTable.of_model(encode, data, **{**asked, **options})


def of_decoder(codes, images, decoded_means, decoded_samples, jacobians):
  moved = decoded_samples - decoded_means
  return {
    "shape": float(jacobians.shape == (len(codes), 128, 2)),
    "length": float(np.square(jacobians[0]).sum()),
    "samples": float(len(decoded_samples)),
    "shift": float(np.abs(moved.mean(axis=0)).max()),
    "noise": float(np.square(moved).sum(axis=(2, 3, 4)).mean()),
    "images": float(len(images)),
  }


def test_what_a_metric_may_ask_the_decoder_for():
  table = _decoding_table()
  measurement = Measurement(of_decoder, num_points=400)
  assert measurement.missing_in(table) is None
  found = measurement.scores(table, seed=0)
  angles = np.random.default_rng(0).normal(size=(2, 8 * 8 * 2))
  lengths = np.square(angles).sum(axis=1)
  assert (found["shape"], found["samples"], found["images"]) == (1, 8, 400)
  assert found["length"] == pytest.approx(lengths.sum(), rel=1e-3)
  assert found["shift"] == pytest.approx(0, abs=1e-4)
  assert found["noise"] == pytest.approx(lengths @ np.exp([-3.0, -2.0]), rel=0.05)
  assert measurement.settings() == {
    "num_points": 400,
    "codes": "mean",
    "decoded": "means, not clipped",
    "decoded_samples": 8,
    "jacobian_step": 0.01,
  }


def test_a_decoder_that_takes_too_long():
  slow = _decoding_table(decode=_slow)
  measurement = Measurement(metrics.misalignment, num_points=600)
  with pytest.raises(LimitError, match="--limit_metric_seconds"):
    measurement.scores(slow, seed=0, limits=Limits(metric_seconds=0.05))


def _slow(codes):
  time.sleep(0.1)
  return np.zeros((len(codes), 8, 8, 2), np.float32)


def test_what_is_asked_of_a_decoder_that_is_not_there():
  law = Measurement(metrics.posterior_law)
  assert law.missing_in(_decoding_table()) is None
  assert law.missing_in(_table()) == "the model has no decoder"
  no_codes = _decoding_table(decode=None)
  assert "none of codes" in law.missing_in(no_codes)
  parts = Measurement(metrics.reconstruction_parts)
  means_alone = CodesTable.of_model(
    lambda images: (images.reshape(len(images), -1), None),
    tiny_data(),
    reconstruct=lambda images: images,
    decode=lambda codes: codes.reshape(-1, 8, 8, 2),
  )
  assert parts.missing_in(means_alone) == "the model gives no log-variances"


@pytest.mark.parametrize(
  ("metric", "numbers", "words"),
  [
    (metrics.misalignment, 30 * 128 * 2, "30 Jacobians of 256 numbers"),
    (metrics.reconstruction_parts, 8 * 30 * 128, "240 images of 128 numbers"),
  ],
)
def test_what_a_decoder_gives_is_bounded(metric, numbers, words):
  measurement = Measurement(metric, num_points=30)
  enough = Limits(codes_gib=4 * numbers / 2**30)
  assert measurement.scores(_decoding_table(), seed=0, limits=enough)
  less = Limits(codes_gib=4 * (numbers - 1) / 2**30)
  with pytest.raises(LimitError, match=f"{words}.*--limit_codes_gib"):
    measurement.scores(_decoding_table(), seed=0, limits=less)


def test_codes_of_the_prior_are_drawn_for_a_metric_that_asks_for_them():
  """Of a wide prior they are wide: the same points give other scores."""
  measurement = Measurement(metrics.prior_mmd, num_points=500)
  assert "does not say what its prior is" in measurement.missing_in(_table())
  assert measurement.missing_in(_table(), prior=IsotropicNormal()) is None
  near, far = (
    measurement.scores(table, seed=0, prior=IsotropicNormal())["prior_mmd"]
    for table in (_normal_table(1.0), _normal_table(5.0))
  )
  assert abs(near) < 0.1 < 0.5 < far


def _normal_table(scale):
  space = FactorSpace(("a",), (2_000,))
  codes = scale * np.random.default_rng(0).normal(size=(2_000, 2))
  return CodesTable(codes.astype(np.float32), space)


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
  with pytest.raises(UserError, match="irs_matrix gives a ndarray, not scores"):
    matrix.scores(_table(), seed=0)


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

  names = Measurement(silent, prefix="my_", num_points="all").scores(_table(), seed=0)
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
  assert found.scores(_table(), seed=0) == {"counted": 18.0}
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
  with pytest.raises(UserError, match="must be a list of @evaluation.Measurement"):
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


def factor_mean(codes, factors, rng):
  """A metric that shows what it was given."""
  del rng
  return {"codes": float(codes.sum()), "factors": float(factors.sum())}


def test_a_measurement_hands_over_what_the_metric_asks_for():
  space = FactorSpace(("a", "b"), (2, 3))
  table = CodesTable(space.to_factors(np.arange(6)) * 10.0, space)
  scores = Measurement(factor_mean, num_points=40).scores(table, seed=0)
  assert scores["codes"] == 10 * scores["factors"] > 0
  assert scores == Measurement(factor_mean, num_points=40).scores(table, seed=0)
  assert scores != Measurement(factor_mean, num_points=40).scores(table, seed=1)


def interventional(space, codes_of, rng):
  return {"size": float(space.num_points), "first": float(codes_of([[1, 2]])[0, 1])}


def uncertainty(codes, log_variances):
  return {"spread": float(codes.std()), "log_variance": float(log_variances.mean())}


def test_interventions_and_sampled_codes():
  space = FactorSpace(("a", "b"), (2, 3))
  means = space.to_factors(np.arange(6)).astype(np.float32)
  table = CodesTable(means, space, log_variances=np.full_like(means, np.log(9.0)))
  measurement = Measurement(interventional, prefix="x_")
  assert measurement.scores(table, seed=0) == {"x_size": 6.0, "x_first": 2.0}
  assert measurement.needs_factors
  still, drawn = (
    Measurement(uncertainty, num_points=20_000, sampled=sampled).scores(table, seed=0)
    for sampled in (False, True)
  )
  assert still["log_variance"] == drawn["log_variance"] == pytest.approx(np.log(9.0))
  assert drawn["spread"] == pytest.approx(np.hypot(still["spread"], 3.0), rel=0.02)
  with pytest.raises(UserError, match="codes alone"):
    Measurement(uncertainty, sampled=True).scores(CodesTable(means, space), seed=0)
