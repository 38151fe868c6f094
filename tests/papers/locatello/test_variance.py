import functools

import numpy as np
import pytest
from study_figure_checks import maps_of, run_figure_test, small_study
from study_tables import made_up_study, only, row_of, run_analysis_test, table_of

from disentangle_tf.papers.locatello import (
  plot_variance_shares,
  share_of_variance,
  variance_shares,
)
from disentangle_tf.studies.results_table import results_table


def test_promises():
  analysis = functools.partial(variance_shares, resamples=20)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=4))


def test_pure_noise_has_the_share_of_the_baseline():
  values = np.random.default_rng(0).normal(size=(1, 60, 6, 6, 50))
  found = variance_shares(table_of(values), scores=("mig",), resamples=0)
  assert found.method.values.mean() == pytest.approx(0.0028, abs=0.0006)
  assert found.setting.values.mean() == pytest.approx(0.0195, abs=0.001)
  np.testing.assert_allclose(found.method_baseline, 5 / 1799)
  np.testing.assert_allclose(found.setting_baseline, 35 / 1799)
  assert (found.method.counts == 1_800).all()


def test_groups_of_half_the_variance_of_the_noise():
  rng = np.random.default_rng(1)
  shares = []
  for _ in range(20):
    effects = np.sqrt(0.5) * rng.normal(size=(36, 1))
    values = (effects + rng.normal(size=(36, 50))).ravel()
    shares.append(share_of_variance(values, np.repeat(np.arange(36), 50)))
  assert np.mean(shares) == pytest.approx(0.5 / 1.5, abs=0.03)


def test_known_shares():
  groups = np.array(["a", "a", "b", "b"])
  assert share_of_variance(np.array([1.0, 1.0, 5.0, 5.0]), groups) == 1
  assert share_of_variance(np.array([1.0, 5.0, 1.0, 5.0]), groups) == pytest.approx(0)
  # Total 10, within 0.5 + 4.5 = 5.
  values = np.array([0.0, 1.0, 1.0, 4.0])
  assert share_of_variance(values, groups) == pytest.approx(1 - 5 / 9)


def test_weights_repeat_models():
  rng = np.random.default_rng(2)
  values, groups = rng.normal(size=20) + 100, rng.integers(3, size=20)
  weights = rng.integers(3, size=(5, 20))
  expected = [
    share_of_variance(np.repeat(values, each), np.repeat(groups, each))
    for each in weights
  ]
  np.testing.assert_allclose(share_of_variance(values, groups, weights), expected)


def test_method_and_strength_explain_all_that_is_not_the_seed():
  values = np.zeros((1, 1, 2, 3, 4)) + np.array([0, 3, 9])[:, None]
  found = variance_shares(table_of(values), scores=("mig",), resamples=10)
  assert found.method.values[0, 0] == pytest.approx(0)
  assert found.setting.values[0, 0] == pytest.approx(1)
  assert found.setting.low[0, 0] == pytest.approx(1)


def test_methods_and_settings_that_read_alike_when_joined_stay_apart():
  rows = [
    row_of("d", method, 0, seed, "mig", value + 0.1 * seed, setting=setting)
    for method, setting, value in (("a", "bc", 0.0), ("ab", "c", 5.0), ("a", "d", 9.0))
    for seed in range(3)
  ]
  found = variance_shares(results_table(rows), scores=("mig",), resamples=0)
  assert found.setting_baseline[0, 0] == pytest.approx(2 / 8)
  within = 3 * 2 * 0.01
  total = within + 3 * np.square(np.array([0, 5, 9]) - 14 / 3).sum()
  assert found.setting.values[0, 0] == pytest.approx(1 - within / total)


def test_a_constant_has_no_variance():
  values = np.random.default_rng(0).random((2, 1, 2, 3, 4))
  values[1] = 0.1
  found = variance_shares(table_of(values, scores=("a", "b")), scores=("a", "b"))
  assert found.method.values.mask.tolist() == [[False, True]]
  assert found.setting.num_empty == 1 and found.setting.low.mask[0, 1]


def test_scores_that_some_models_lack():
  table = only(made_up_study(num_strengths=2), score="mig", seed=0, data="dsprites")
  found = variance_shares(table, scores=("mig", "sap"), resamples=0)
  assert found.method.rows[0] == "dsprites"
  assert found.method.counts[0].tolist() == [48, 60]
  assert found.method_baseline[0, 0] == pytest.approx(5 / 47)


def test_plot_variance_shares_promises():
  run_figure_test(plot_variance_shares, resamples=10, scores=("mig", "sap"))


def test_shares_beside_their_baselines():
  table = small_study()
  found = plot_variance_shares(table, resamples=10)
  maps = maps_of(found["variance_shares"])
  assert [axis.get_title() for axis in maps] == [
    f"Method\nn = 36\nno effect: {100 * 5 / 35:.1f} %",
    f"Method and strength\nn = 36\nno effect: {100 * 11 / 35:.1f} %",
  ]
  shares = variance_shares(table, resamples=0)
  np.testing.assert_allclose(maps[1].images[0].get_array(), 100 * shares.setting.values)
  mean = f"method {100 * shares.method.values.mean():.0f} %"
  assert f"Mean over data sets and scores: {mean}" in found["variance_shares.md"]
  assert found["variance_shares.md"].count("no effect") == 2
