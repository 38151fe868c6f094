import functools
import math

import numpy as np
import pytest
from study_tables import made_up_study, row_of, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import (
  mean_intervals,
  score_against_strength,
  score_against_weight,
  swept_value,
  t_interval,
  trade_off,
)
from disentangle_tf.studies.analyses.intervals import (
  check_strengths,
  percentile_interval,
  seed_median,
  seed_weights,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import results_table


@pytest.mark.parametrize(
  ("setting", "name", "value"),
  [
    ("BETA=4.0", "BETA", 4.0),
    ("BETA=0.00316, data.XYSquares.grid_spacing=3", "grid_spacing", 3.0),
    ("data.XYSquares.grid_spacing=3,BETA=1e-3", "BETA", 0.001),
    ("a.beta=1; b.beta=2", "b.beta", 2.0),
    ("MY_BETA=1, BETA=2", "BETA", 2.0),
    ("ALPHA=-1.5", "ALPHA", -1.5),
  ],
)
def test_numbers_in_settings(setting, name, value):
  assert swept_value(setting, name) == value


@pytest.mark.parametrize(
  ("setting", "name", "value"),
  [
    ("a.BETA=1, b.BETA=2", "a.BETA", 1.0),
    ("a.BETA=1, b.BETA=2", "b.BETA", 2.0),
    ("a.b.BETA=1, c.b.BETA=2", "c.b.BETA", 2.0),
    ("b.BETA=1, BETA=2", "BETA", 2.0),  # its full name
    ("NAME='BETA=3', BETA=2", "BETA", 2.0),
  ],
)
def test_full_names_tell_settings_apart(setting, name, value):
  assert swept_value(setting, name) == value


@pytest.mark.parametrize(
  ("setting", "name"),
  [
    ("a.BETA=1, b.BETA=2", "BETA"),
    ("b.BETA=2, a.BETA=1", "BETA"),
    ("a.b.BETA=1, c.b.BETA=2", "b.BETA"),
    ("a.BETA=1, b.BETA='x'", "BETA"),
  ],
)
def test_a_name_of_two_settings_is_refused(setting, name):
  with pytest.raises(UserError, match=r"name one of .*BETA, .*BETA in full"):
    swept_value(setting, name)


@pytest.mark.parametrize(
  "setting", ["", "GAMMA=1", "BETA=@loss()", "BETA='1'", "BETA=1x"]
)
def test_settings_without_it(setting):
  with pytest.raises(UserError, match="has no number BETA="):
    swept_value(setting, "BETA")


def test_a_hundred_values_of_deviation_one():
  values = np.random.default_rng(0).normal(size=100)
  values = 3 + (values - values.mean()) / values.std(ddof=1)
  mean, half = t_interval(values)
  assert mean == pytest.approx(3) and round(half, 5) == 0.19842


@pytest.mark.parametrize(
  ("n", "quantile"), [(3, 4.303), (5, 2.776), (10, 2.262), (50, 2.010), (100, 1.984)]
)
def test_quantiles(n, quantile):
  values = np.arange(float(n))
  half = t_interval(values)[1]
  deviation = values.std(ddof=1)
  assert half * math.sqrt(n) / deviation == pytest.approx(quantile, abs=5e-4)


def test_one_value_has_no_interval():
  assert t_interval([0.5]) == (0.5, None)


def _table(*places):
  """One model for each (strength, BETA)."""
  return results_table(
    row_of("d", "m", strength, seed, score, beta / 10, setting=f"BETA={beta}")
    for seed, (strength, beta) in enumerate(places)
    for score in ("mig", "sap")
  )


def test_one_setting_for_each_strength():
  check_strengths(pivot(table_of(np.ones((1, 2, 3, 4, 5)))))
  check_strengths(pivot(_table((0, 1), (0, 1), (1, 2))))


@pytest.mark.parametrize("places", [[(0, 1), (0, 2)], [(0, 2), (1, 2)]])
@pytest.mark.parametrize(
  "analysis",
  [
    lambda table: score_against_strength(table, scores=("mig",)),
    lambda table: mean_intervals(table, scores=("mig",)),
    lambda table: score_against_weight(table, scores=("mig",)),
    lambda table: trade_off(table, x="mig", y="sap"),
  ],
)
def test_strengths_of_several_plans_are_refused(places, analysis):
  with pytest.raises(UserError, match="strengths of m do not compare"):
    analysis(_table(*places))


def test_named_settings_need_no_strengths():
  curves = mean_intervals(_table((0, 1), (0, 2)), scores=("mig",), over="BETA")
  assert curves["d", "mig"]["m"].x.tolist() == [1.0, 2.0]


def test_fifty_seeds():
  values = np.tile(np.arange(50.0), (2, 3, 1))
  np.testing.assert_array_equal(seed_median(values), np.full((2, 3), 24.5))


def test_missing_seeds_do_not_count():
  values = np.array([[3.0, np.nan, 1.0], [np.nan, 2.0, np.nan], [np.nan] * 3])
  assert seed_median(values)[:2].tolist() == [2.0, 2.0]
  assert np.isnan(seed_median(values)[2])


def test_as_numpy():
  values = np.random.default_rng(0).normal(size=(20, 7, 9))
  values[np.random.default_rng(1).random(values.shape) < 0.3] = np.nan
  np.testing.assert_array_equal(seed_median(values), np.nanmedian(values, axis=-1))


def test_models_of_a_seed_stay_together():
  seeds = np.array([4, 7, 4, 9, 7, 9])
  weights = seed_weights(seeds, resamples=200, rng=0)
  assert weights.shape == (200, 6)
  for pair in ((0, 2), (1, 4), (3, 5)):
    np.testing.assert_array_equal(weights[:, pair[0]], weights[:, pair[1]])
  assert (weights.sum(axis=1) == 6).all()  # as many seeds as there are
  assert abs(weights.mean() - 1) < 0.05
  assert seed_weights(np.zeros(0), resamples=3, rng=0).shape == (3, 0)


def test_percentiles_of_what_could_be_computed():
  values = np.stack([np.arange(1001.0), np.full(1001, np.nan)], axis=1)
  values = np.concatenate([values, np.full((50, 2), np.nan)])
  low, high = percentile_interval(values)
  assert (low[0], high[0]) == (25, 975)
  assert low.mask.tolist() == high.mask.tolist() == [False, True]


def test_the_interval_covers_the_mean_of_seeds():
  rng = np.random.default_rng(0)
  covered = 0
  for _ in range(200):
    values = np.repeat(rng.normal(size=40), 3)  # all models of a seed are alike
    weights = seed_weights(np.repeat(np.arange(40), 3), resamples=200, rng=rng)
    low, high = percentile_interval((weights @ values / weights.sum(axis=1))[:, None])
    covered += low[0] <= 0 <= high[0]
  assert 0.88 <= covered / 200 <= 0.99


def test_promises():
  analysis = functools.partial(mean_intervals, scores=("mig", "kl"))
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_means_and_bands_at_each_value():
  values = np.random.default_rng(0).random((1, 1, 1, 4, 3))
  table = table_of(values)
  by_strength = mean_intervals(table, scores=("mig",))["set 0", "mig"]["method 0"]
  by_beta = mean_intervals(table, scores=("mig",), over="BETA")
  curve = by_beta["set 0", "mig"]["method 0"]
  assert by_strength.x.tolist() == [0, 1, 2, 3] and curve.x.tolist() == [1, 2, 4, 8]
  for place in range(4):
    mean, half = t_interval(values[0, 0, 0, place])
    assert curve.y[place] == by_strength.y[place] == pytest.approx(mean)
    assert curve.high[place] - curve.y[place] == pytest.approx(half)
    assert curve.y[place] - curve.low[place] == pytest.approx(half)
  assert curve.counts.tolist() == [3, 3, 3, 3]


def test_one_model_is_its_own_interval():
  table = results_table([row_of("a", "m", 0, 0, "mig", 0.4)])
  curve = mean_intervals(table, scores=("mig",))["a", "mig"]["m"]
  assert curve.low.tolist() == curve.high.tolist() == [0.4]
