import functools

import numpy as np
import pytest
from study_figure_checks import run_figure_test
from study_tables import only, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello import (
  metric_sample_efficiency,
  plot_metric_sample_efficiency,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import select

_NAMES = {10_000: "mig", 100: "points_100_mig", 1_000: "points_1000_mig"}
_SIZES = {"mig": _NAMES}


def _table():
  rng = np.random.default_rng(0)
  exact = rng.random((1, 2, 3, 4, 10))
  coarse = exact + rng.normal(size=exact.shape) + 0.5
  fine = exact**3 + 0.1  # another scale, the same order
  values = np.concatenate([exact, coarse, fine])
  return table_of(values, scores=tuple(_NAMES.values()))


def test_promises():
  analysis = functools.partial(metric_sample_efficiency, sizes=_SIZES, resamples=20)
  run_analysis_test(analysis, _table())


def test_rankings_and_biases_against_the_most_points():
  table = _table()
  rankings, biases = metric_sample_efficiency(table, _SIZES, resamples=100)
  curve = rankings["set 0"]["mig"]
  assert curve.x.tolist() == [100, 1_000] and curve.counts.tolist() == [120, 120]
  assert curve.y[0] < 0.7 and np.isclose(curve.y[1], 1)
  assert (curve.low <= curve.y).all() and (curve.y <= curve.high + 1e-12).all()
  wide = pivot(table, ["mig", "points_100_mig"])
  wide = wide[wide["data"] == "set 0"]
  expected = (wide["points_100_mig"] - wide["mig"]).mean()
  assert np.isclose(biases["set 0"]["mig"].y[0], expected)


def test_models_and_data_sets_that_lack_a_size():
  table = only(_table(), score="points_100_mig", data="set 1")
  rankings, biases = metric_sample_efficiency(table, _SIZES, resamples=5)
  assert len(rankings["set 1"]["mig"].x) == len(biases["set 1"]["mig"].x) == 0
  assert len(rankings["set 0"]["mig"].x) == 2


def test_a_constant_has_no_ranking():
  values = np.random.default_rng(0).random((3, 1, 1, 2, 5))
  values[1] = 0.5
  table = table_of(values, scores=tuple(_NAMES.values()))
  rankings, biases = metric_sample_efficiency(table, _SIZES, resamples=5)
  assert rankings["set 0"]["mig"].x.tolist() == [1_000]
  assert biases["set 0"]["mig"].x.tolist() == [100, 1_000]


_PLOT_METRIC_SAMPLE_EFFICIENCY_SIZES = {
  10: "points_10_mig",
  100: "points_100_mig",
  1_000: "points_1000_mig",
}


def _plot_metric_sample_efficiency_table():
  rng = np.random.default_rng(0)
  models = rng.normal(size=(1, 2, 2, 3, 5))
  noise = rng.normal(size=(3, 2, 2, 3, 5))
  return table_of(
    models + 0.5 * noise, scores=tuple(_PLOT_METRIC_SAMPLE_EFFICIENCY_SIZES.values())
  )


def test_plot_metric_sample_efficiency_promises():
  run_figure_test(
    plot_metric_sample_efficiency, _plot_metric_sample_efficiency_table(), resamples=10
  )


def test_rankings_and_biases():
  found = plot_metric_sample_efficiency(
    _plot_metric_sample_efficiency_table(), resamples=10
  )
  curves = metric_sample_efficiency(
    _plot_metric_sample_efficiency_table(),
    {"mig": _PLOT_METRIC_SAMPLE_EFFICIENCY_SIZES},
    resamples=0,
  )
  for name, each in zip(
    ("metric_sample_efficiency", "metric_sample_bias"), curves, strict=True
  ):
    axis = found[name].axes[0]
    (line,) = axis.get_lines()
    assert axis.get_xscale() == "log" and line.get_xdata().tolist() == [10, 100]
    np.testing.assert_allclose(line.get_ydata(), each["set 0"]["mig"].y)


def test_one_number_of_points_is_refused():
  with pytest.raises(UserError, match="two numbers of points or more"):
    plot_metric_sample_efficiency(
      select(_plot_metric_sample_efficiency_table(), score="points_10_mig")
    )
