"""What a metric asks for is what it gets, within limits."""

import time

import numpy as np
import pytest
from measured_tables import decoding_table, table_of_nine
from shared_checks import tiny_data

from disentangle_tf import metrics
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.foreign.sandbox.limits import Limits
from disentangle_tf.priors import IsotropicNormal
from disentangle_tf.scoring import CodesTable, Measurement
from disentangle_tf.scoring.metric_inputs import LimitError


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
  table = decoding_table()
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
  slow = decoding_table(decode=_slow)
  measurement = Measurement(metrics.misalignment, num_points=600)
  with pytest.raises(LimitError, match="Limits.metric_seconds"):
    measurement.scores(slow, seed=0, limits=Limits(metric_seconds=0.05))


def _slow(codes):
  time.sleep(0.1)
  return np.zeros((len(codes), 8, 8, 2), np.float32)


def test_what_is_asked_of_a_decoder_that_is_not_there():
  law = Measurement(metrics.posterior_law)
  assert law.missing_in(decoding_table()) is None
  assert law.missing_in(table_of_nine()) == "the model has no decoder"
  no_codes = decoding_table(decode=None)
  assert "does not decode codes" in law.missing_in(no_codes)
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
  assert measurement.scores(decoding_table(), seed=0, limits=enough)
  less = Limits(codes_gib=4 * (numbers - 1) / 2**30)
  with pytest.raises(LimitError, match=f"{words}.*Limits.codes_gib"):
    measurement.scores(decoding_table(), seed=0, limits=less)


def test_codes_of_the_prior_are_drawn_for_a_metric_that_asks_for_them():
  """Of a wide prior they are wide: the same points give other scores."""
  measurement = Measurement(metrics.prior_mmd, num_points=500)
  assert "does not say what its prior is" in measurement.missing_in(table_of_nine())
  assert measurement.missing_in(table_of_nine(), prior=IsotropicNormal()) is None
  near, far = (
    measurement.scores(table, seed=0, prior=IsotropicNormal())["prior_mmd"]
    for table in (_normal_table(1.0), _normal_table(5.0))
  )
  assert abs(near) < 0.1 < 0.5 < far


def _normal_table(scale):
  space = FactorSpace(("a",), (2_000,))
  codes = scale * np.random.default_rng(0).normal(size=(2_000, 2))
  return CodesTable(codes.astype(np.float32), space)


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
  with pytest.raises(UserError, match="cannot sample codes"):
    Measurement(uncertainty, sampled=True).scores(CodesTable(means, space), seed=0)
