import math

import numpy as np
import pytest
from scipy import stats
from study_tables import made_up_study, only, row_of, run_analysis_test, table_of

from disentangle_tf.studies.analyses import rank_correlation, score_correlations
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import results_table


def test_ties_share_their_mean_rank():
  found = rank_correlation(np.array([1, 2, 2, 3]), np.array([1, 3, 2, 4]))
  assert found == pytest.approx(3 / math.sqrt(10))
  assert round(found, 5) == 0.94868


def test_any_increasing_map_changes_nothing():
  rng = np.random.default_rng(0)
  first, second = rng.random(50), rng.random(50)
  assert rank_correlation(first, np.exp(9 * first) - 3) == pytest.approx(1)
  assert rank_correlation(first, -first) == pytest.approx(-1)
  plain = rank_correlation(first, second)
  assert rank_correlation(np.log(first), second**3) == plain


def test_a_constant_has_no_correlation():
  assert math.isnan(rank_correlation(np.full(5, 0.1), np.arange(5.0)))
  assert math.isnan(rank_correlation(np.array([1.0]), np.array([2.0])))
  assert math.isnan(rank_correlation(np.zeros(0), np.zeros(0)))


def test_as_scipy():
  rng = np.random.default_rng(1)
  first, second = rng.integers(5, size=40), rng.integers(9, size=40)
  expected = stats.spearmanr(first, second).statistic
  assert rank_correlation(first, second) == pytest.approx(expected, abs=1e-12)


def test_weights_repeat_models():
  rng = np.random.default_rng(2)
  first, second = rng.integers(6, size=30), rng.normal(size=30)
  weights = rng.integers(4, size=(8, 30))
  weights[7] = 0
  weights[7, 3] = 5  # one model only: no correlation
  found = rank_correlation(first, second, weights)
  for each, value in zip(weights[:7], found, strict=False):
    repeated = stats.spearmanr(np.repeat(first, each), np.repeat(second, each))
    assert value == pytest.approx(repeated.statistic, abs=1e-12)
  assert math.isnan(found[7])


_SCORES = ("mig", "sap", "disentanglement")


def _correlations(table, **options):
  options = {"resamples": 20, **options}
  return score_correlations(table, ("mig", "kl"), _SCORES, **options)


def test_promises():
  run_analysis_test(_correlations, made_up_study(num_strengths=3, num_seeds=4))


def test_as_scipy_over_all_models_of_a_data_set():
  table = made_up_study()
  panels = _correlations(table, resamples=0)
  assert list(panels) == ["dsprites", "color_dsprites", "noisy_dsprites"]
  wide = pivot(table, ["mig", "kl", *_SCORES[1:]])
  wide = wide[wide["data"] == "color_dsprites"]
  panel = panels["color_dsprites"]
  for (row, column), value in np.ndenumerate(panel.values):
    names = panel.rows[row], panel.columns[column]
    expected = stats.spearmanr(*(wide[name] for name in names)).statistic
    assert value == pytest.approx(expected, abs=1e-12)
  assert (panel.counts == 6 * 6 * 5).all() and panel.low is None


def test_any_increasing_map_of_a_score_changes_nothing():
  table = made_up_study(num_strengths=2)
  columns = table.copy()
  mig = columns["score"] == "mig"
  columns["value"] = np.where(mig, np.exp(5 * columns["value"]), columns["value"])
  before, after = _correlations(table), _correlations(results_table(columns))
  for data, panel in before.items():
    assert panel.values.tobytes() == after[data].values.tobytes()
    assert panel.low.tobytes() == after[data].low.tobytes()


def test_constant_and_absent_scores_are_empty_cells():
  table = made_up_study(num_strengths=2)
  columns = table.copy()
  constant = (columns["score"] == "sap") & (columns["data"] == "dsprites")
  columns.loc[constant, "value"] = 0.3
  table = only(results_table(columns), score="disentanglement", data="color_dsprites")
  panels = _correlations(table)
  mask = panels["dsprites"].values.mask
  assert mask.tolist() == [[False, True, False]] * 2
  assert panels["dsprites"].num_empty == 2
  assert panels["dsprites"].low.mask.tolist() == mask.tolist()
  assert panels["color_dsprites"].counts[0].tolist() == [60, 60, 0]
  assert panels["color_dsprites"].num_empty == 2
  assert panels["noisy_dsprites"].num_empty == 0


def test_each_cell_is_of_the_models_that_have_both():
  table = only(made_up_study(num_strengths=2), score="mig", seed=0)
  panel = _correlations(table)["dsprites"]
  assert panel.counts.tolist() == [[48, 48, 48], [48, 60, 60]] and panel.n == (48, 60)


def test_intervals_hold_the_value_and_shrink_with_seeds():
  few = _correlations(made_up_study(num_seeds=3), resamples=200)["dsprites"]
  many = _correlations(made_up_study(num_seeds=30), resamples=200)["dsprites"]
  for panel in (few, many):
    assert (panel.low <= panel.values).all() and (panel.values <= panel.high).all()
  assert (many.high - many.low)[0, 1] < (few.high - few.low)[0, 1]


def test_resampling_takes_all_models_of_a_seed_together():
  # Within each seed the scores are opposite, so is every resample.
  first = np.random.default_rng(0).random((1, 1, 2, 3, 4))
  values = np.concatenate([first, -first])
  table = table_of(values, scores=("mig", "sap"))
  panel = score_correlations(table, ["mig"], ["sap"], resamples=50)["set 0"]
  np.testing.assert_allclose([panel.low[0, 0], panel.high[0, 0]], -1)


def test_a_single_model():
  table = results_table(
    [row_of("a", "m", 0, 0, score, 0.5) for score in ("mig", "sap")]
  )
  panel = score_correlations(table, ["mig"], ["sap"], resamples=10)["a"]
  assert panel.num_empty == 1 and panel.counts.tolist() == [[1]]
