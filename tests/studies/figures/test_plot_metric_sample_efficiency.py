import numpy as np
import pytest
from study_figure_checks import run_figure_test
from study_tables import table_of

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import metric_sample_efficiency
from disentangle_tf.studies.figures import plot_metric_sample_efficiency
from disentangle_tf.studies.results_table import select

_SIZES = {10: "points_10_mig", 100: "points_100_mig", 1_000: "points_1000_mig"}


def _table():
  rng = np.random.default_rng(0)
  models = rng.normal(size=(1, 2, 2, 3, 5))
  noise = rng.normal(size=(3, 2, 2, 3, 5))
  return table_of(models + 0.5 * noise, scores=tuple(_SIZES.values()))


def test_promises():
  run_figure_test(plot_metric_sample_efficiency, _table(), resamples=10)


def test_rankings_and_biases():
  found = plot_metric_sample_efficiency(_table(), resamples=10)
  curves = metric_sample_efficiency(_table(), {"mig": _SIZES}, resamples=0)
  for name, each in zip(
    ("metric_sample_efficiency", "metric_sample_bias"), curves, strict=True
  ):
    axis = found[name].axes[0]
    (line,) = axis.get_lines()
    assert axis.get_xscale() == "log" and line.get_xdata().tolist() == [10, 100]
    np.testing.assert_allclose(line.get_ydata(), each["set 0"]["mig"].y)


def test_one_number_of_points_is_refused():
  with pytest.raises(UserError, match="two numbers of points or more"):
    plot_metric_sample_efficiency(select(_table(), score="points_10_mig"))
