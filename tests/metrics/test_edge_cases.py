"""Edge cases of every metric of (codes, factors) or of codes.

A metric that takes more is wrapped, and added to one of the two lists.
"""

import functools
import inspect

import numpy as np
import pytest
from metric_checks import check_is_scores, draw_factors

from disentangle_tf import metrics
from disentangle_tf.errors import UserError

RNG = np.random.default_rng(0)


def _udr(codes):
  return metrics.udr([codes, codes])


def _tested_on_the_same(metric, **options):
  def score(codes, factors):
    return metric(codes, factors, codes, factors, **options)

  return score


def _downstream_task(codes, factors):
  return metrics.downstream_task(
    codes, factors, codes, factors, sizes=[len(codes)], predictor="lightgbm"
  )


LABELLED = {
  "dci_es": _tested_on_the_same(metrics.dci_es, depths=(1, 3)),
  "dci_lasso": _tested_on_the_same(metrics.dci, predictor="lasso"),
  "dci_lightgbm": _tested_on_the_same(metrics.dci_lightgbm),
  "dci_svm": _tested_on_the_same(metrics.dci, predictor="svm"),
  "dcimig": metrics.dcimig,
  "downstream_task": _downstream_task,
  "explicitness": _tested_on_the_same(metrics.explicitness),
  "infomec": metrics.infomec,
  "infomec_discrete": functools.partial(metrics.infomec, discrete_latents=True),
  "irs": metrics.irs,
  "jemmig": metrics.jemmig,
  "mcc": metrics.mcc,
  "mcc_spearman": functools.partial(metrics.mcc, correlation="spearman"),
  "mig": metrics.mig,
  "mig_sup": metrics.mig_sup,
  "modularity": metrics.modularity,
  "rmig": metrics.rmig,
  "sap": _tested_on_the_same(metrics.sap),
  "sap_continuous": _tested_on_the_same(metrics.sap, continuous_factors=True),
}
UNLABELLED = {
  "active_units": metrics.active_units,
  "hoyer": metrics.hoyer,
  "total_correlation": metrics.total_correlation,
  "udr": _udr,
  "udr_spearman": lambda codes: metrics.udr([codes, codes], method="spearman"),
}
every_labelled = pytest.mark.parametrize("name", LABELLED)
every = pytest.mark.parametrize("name", [*LABELLED, *UNLABELLED])


def _score(name, codes, factors):
  if name in UNLABELLED:
    return UNLABELLED[name](codes)
  return LABELLED[name](codes, factors)


def _points(num_points=60, sizes=(2, 4)):
  factors = draw_factors(num_points, sizes=sizes)
  return factors + 0.1 * RNG.normal(size=factors.shape), factors


def test_no_metric_of_points_is_forgotten():
  points = {"codes", "factors", "test_codes", "test_factors"}
  for name in metrics.__all__:
    metric = getattr(metrics, name)
    asked = inspect.signature(metric).parameters.values()
    required = {each.name for each in asked if each.default is each.empty}
    if hasattr(metric, "directions") and required <= points:
      tested = [*LABELLED, *UNLABELLED]
      assert any(each == name or each.startswith(f"{name}_") for each in tested), name


@every
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_codes_that_are_not_finite(name, bad):
  codes, factors = _points()
  codes[5, 1] = bad
  with pytest.raises(UserError, match="latent 1 has codes that are NaN or infinite"):
    _score(name, codes, factors)


@every_labelled
def test_factors_that_are_not_finite(name):
  codes, factors = _points()
  factors = factors.astype(float)
  factors[5, 1] = np.nan
  with pytest.raises(UserError, match="factor 1 has values that are NaN or infinite"):
    _score(name, codes, factors)


@every
@pytest.mark.parametrize(
  ("codes", "match"),
  [
    (np.zeros(60), "points"),
    (np.zeros((60, 0)), "nothing"),
    (np.full((60, 2), "a"), "not numbers"),
    (np.ones((60, 2), complex), "not numbers"),
  ],
)
def test_codes_of_the_wrong_kind(name, codes, match):
  with pytest.raises(UserError, match=match):
    _score(name, codes, _points()[1])


@every_labelled
@pytest.mark.parametrize(
  ("factors", "match"),
  [
    (np.zeros((59, 2), int), "points"),
    (np.zeros(60, int), "points"),
    (np.zeros((60, 0), int), "nothing"),
    (np.full((60, 2), "a"), "not numbers"),
    (np.zeros((60, 2), int), "more than one value"),
  ],
)
def test_factors_of_the_wrong_kind(name, factors, match):
  with pytest.raises(UserError, match=match):
    _score(name, _points()[0], factors)


@every
@pytest.mark.parametrize(
  ("latents", "factors"), [(1, 2), (2, 1), (1, 1)], ids=["1x2", "2x1", "1x1"]
)
def test_one_latent_and_one_factor(name, latents, factors):
  codes, values = _points()
  check_is_scores(_score(name, codes[:, :latents], values[:, :factors]))


@every
def test_more_factors_than_latents(name):
  codes, factors = _points(sizes=(2, 3, 4, 5))
  check_is_scores(_score(name, codes[:, :2], factors))


@every
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_constant_latents(name, dtype):
  codes, factors = _points()
  constant = np.full((60, 1), 0.3, dtype)  # a mean that rounds
  mixed = np.concatenate([codes.astype(dtype), constant], axis=1)
  check_is_scores(_score(name, mixed, factors))
  check_is_scores(_score(name, np.tile(constant, 2), factors))
  check_is_scores(_score(name, 0 * codes, factors))
  rounding = constant + RNG.integers(4, size=(60, 1)) * np.spacing(dtype(0.3))
  check_is_scores(_score(name, np.concatenate([mixed, rounding], axis=1), factors))


@every_labelled
def test_factors_of_one_value_are_left_out(name):
  codes, factors = _points()
  with_constant = np.insert(factors, 1, 7, axis=1)
  expected = _score(name, codes, factors)
  assert _score(name, codes, with_constant) == pytest.approx(expected)


@every
@pytest.mark.parametrize("num_points", [2, 3, 7])
def test_fewer_points_than_bins(name, num_points):
  codes = RNG.normal(size=(num_points, 3))
  factors = np.stack([np.arange(num_points), np.arange(num_points) % 2], axis=1)
  check_is_scores(_score(name, codes, factors))


@pytest.mark.parametrize("name", UNLABELLED)
def test_a_single_point(name):
  check_is_scores(_score(name, np.array([[1.0, 2.0, 0.0]]), None))


@every
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, np.int64, np.uint8])
def test_types_of_codes(name, dtype):
  _, factors = _points()
  expected = _score(name, factors.astype(np.float64), factors)
  assert _score(name, factors.astype(dtype), factors) == pytest.approx(
    expected, abs=1e-5
  )


@every_labelled
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float32, np.float64])
def test_types_of_factors(name, dtype):
  codes, factors = _points()
  expected = _score(name, codes, factors)
  assert _score(name, codes, factors.astype(dtype)) == pytest.approx(expected)
  assert _score(name, codes, factors - 100) == pytest.approx(expected)


@every_labelled
def test_factors_that_are_true_or_false(name):
  codes, factors = _points(sizes=(2, 2))
  expected = _score(name, codes, factors)
  assert _score(name, codes, factors.astype(bool)) == pytest.approx(expected)


@pytest.mark.parametrize("name", [n for n in LABELLED if n != "infomec_discrete"])
def test_continuous_factors(name):
  factors, others = np.random.default_rng(0).uniform(-1, 1, size=(2, 300, 2))
  known = _score(name, factors, factors)
  unknown = _score(name, others, factors)
  check_is_scores(known)
  check_is_scores(unknown)
  # Trees overfit noise; a linear model cannot separate 20 bins.
  if name not in ("downstream_task", "sap"):
    score = next(iter(known))
    assert known[score] > unknown[score]
