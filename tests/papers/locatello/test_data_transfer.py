import functools

import numpy as np
import pytest
from scipy import stats
from study_figure_checks import maps_of, run_figure_test, small_study
from study_tables import made_up_study, only, run_analysis_test, table_of

from disentangle_tf.errors import UserError
from disentangle_tf.papers.locatello import (
  plot_transfer_between_data,
  transfer_between_data,
  transfer_scatter,
)
from disentangle_tf.studies.model_scores import pivot


def test_promises():
  analysis = functools.partial(transfer_scatter, source="dsprites")
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_every_setting_is_a_point():
  values = np.tile(np.arange(50.0), (1, 3, 2, 6, 1)) + 100 * np.arange(6)[:, None]
  values[:, 2] += 7
  panels = transfer_scatter(table_of(values), source="set 1", scores=("mig",))
  assert list(panels) == [("set 0", "mig"), ("set 2", "mig")]
  x = 24.5 + 100 * np.arange(6)
  np.testing.assert_allclose(
    panels["set 2", "mig"]["method 1"], np.stack([x, x + 7], axis=1)
  )


def test_settings_of_both_sets_only():
  table = only(made_up_study(), data="dsprites", method="FactorVAE", strength=0)
  panels = transfer_scatter(table, source="dsprites", scores=("mig",))
  assert len(panels["color_dsprites", "mig"]["FactorVAE"]) == 5
  with pytest.raises(UserError, match="source is 'mnist': the table has dsprites"):
    transfer_scatter(table, source="mnist")


def test_transfer_between_data_promises():
  analysis = functools.partial(
    transfer_between_data, scores=("mig", "sap"), resamples=20
  )
  run_analysis_test(analysis, made_up_study(num_strengths=3, num_seeds=4))


def test_a_constant_between_data_sets_keeps_the_order():
  values = np.random.default_rng(0).random((1, 1, 6, 6, 5))
  table = table_of(np.concatenate([values, values + 3, values - 1], axis=1))
  panel = transfer_between_data(table, scores=("mig",), resamples=50)["mig"]
  np.testing.assert_allclose(panel.values, np.ones((3, 3)))
  np.testing.assert_allclose(panel.low, np.ones((3, 3)))
  assert (panel.counts == 36).all()


def test_symmetric_and_of_the_medians():
  table = made_up_study()
  panel = transfer_between_data(table, scores=("mig",), resamples=0)["mig"]
  np.testing.assert_array_equal(panel.values, panel.values.T)
  np.testing.assert_allclose(np.diag(panel.values), 1)
  wide = pivot(table, ["mig"])
  medians = [
    [
      np.median(wide.loc[(wide.data == data) & of_setting, "mig"])
      for method in sorted(set(wide.method))
      for strength in range(6)
      for of_setting in [(wide.method == method) & (wide.strength == strength)]
    ]
    for data in panel.rows[:2]
  ]
  expected = stats.spearmanr(*medians).statistic
  assert panel.values[0, 1] == pytest.approx(expected, abs=1e-12)


def test_settings_that_one_data_set_lacks_do_not_count():
  table = only(made_up_study(), data="dsprites", method="beta-VAE", strength=2)
  panel = transfer_between_data(table, scores=("mig",), resamples=0)["mig"]
  assert panel.counts.tolist() == [[35, 35, 35], [35, 36, 36], [35, 36, 36]]


def test_a_score_that_is_the_same_everywhere_is_empty():
  values = np.random.default_rng(0).random((1, 2, 2, 3, 4))
  values[:, 1] = 0.7
  panel = transfer_between_data(table_of(values), scores=("mig",), resamples=9)["mig"]
  assert panel.values.mask.tolist() == [[False, True], [True, True]]
  assert panel.num_empty == 3


_TWO = ("mig", "sap")


def test_plot_transfer_between_data_promises():
  run_figure_test(plot_transfer_between_data, resamples=10, scores=_TWO)


def test_maps_and_points():
  table = small_study()
  found = plot_transfer_between_data(table, scores=_TWO, resamples=10)
  maps = maps_of(found["transfer_between_data"])
  assert [axis.get_title() for axis in maps] == ["MIG\nn = 12", "SAP\nn = 12"]
  scatter = found["transfer_scatter"]
  assert len(scatter.axes) == 2 * 2
  assert scatter.axes[0].get_ylabel() == "Color-dSprites"
  points = transfer_scatter(table, source="dsprites", scores=_TWO)
  expected = points["color_dsprites", "mig"]["beta-VAE"]
  shown = scatter.axes[0].collections[0].get_offsets()
  assert shown.tolist() == expected.tolist()
  assert "**MIG** (n = 12)" in found["transfer_between_data.md"]


def test_one_data_set_is_refused():
  with pytest.raises(UserError, match="needs two data sets"):
    plot_transfer_between_data(small_study(data=("dsprites",)))
