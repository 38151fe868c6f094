import functools

import numpy as np
from study_figure_checks import maps_of, run_figure_test, small_study
from study_tables import made_up_study, only, run_analysis_test

from disentangle_tf.papers.locatello import (
  metric_agreement,
  metric_scatter,
  plot_metric_agreement,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.titles import METRICS


def test_promises():
  analysis = functools.partial(metric_agreement, resamples=20)
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=4))


def test_symmetric_with_ones_on_the_diagonal():
  for panel in metric_agreement(made_up_study(), resamples=0).values():
    assert panel.rows == panel.columns == tuple(METRICS)
    np.testing.assert_allclose(panel.values, panel.values.T)
    np.testing.assert_allclose(np.diag(panel.values), 1)


def test_scores_that_follow_one_quality_agree():
  panel = metric_agreement(made_up_study(num_seeds=10), resamples=100)["dsprites"]
  place = panel.rows.index
  beta_and_factor = place("beta_vae_eval_accuracy"), place("factor_vae_eval_accuracy")
  assert panel.low[beta_and_factor] > 0.3
  assert panel.low[place("mig"), place("modularity")] < 0.2


def test_metric_scatter_promises():
  analysis = functools.partial(metric_scatter, data="dsprites")
  run_analysis_test(analysis, made_up_study(num_strengths=2, num_seeds=3))


def test_every_model_is_a_point():
  table = only(made_up_study(num_strengths=2), score="sap", seed=1, data="dsprites")
  panels = metric_scatter(table, "dsprites", scores=("mig", "sap"))
  assert list(panels) == [
    ("mig", "mig"),
    ("mig", "sap"),
    ("sap", "mig"),
    ("sap", "sap"),
  ]
  assert sum(map(len, panels["mig", "mig"].values())) == 60
  assert sum(map(len, panels["sap", "mig"].values())) == 48
  wide = pivot(table, ["mig", "sap"])
  wide = wide[wide["data"] == "dsprites"]
  chosen = (wide.method == "DIP-VAE-I") & (wide.seed != 1)
  # The row is the y axis.
  points = panels["sap", "mig"]["DIP-VAE-I"]
  assert points.tolist() == wide.loc[chosen, ["mig", "sap"]].values.tolist()


def test_plot_metric_agreement_promises():
  run_figure_test(plot_metric_agreement, resamples=10, scores=("mig", "sap"))


def test_correlations_and_points():
  table = small_study()
  scores = ("beta_vae_eval_accuracy", "mig", "sap")
  found = plot_metric_agreement(table, scores=scores, resamples=10)
  panels = metric_agreement(table, scores=scores, resamples=0)
  maps = maps_of(found["metric_agreement"])
  assert maps[0].get_title() == "dSprites\nn = 36"
  for axis, panel in zip(maps, panels.values(), strict=True):
    np.testing.assert_allclose(axis.images[0].get_array(), 100 * panel.values)
  assert len(found["metric_scatter"].axes) == 9
  assert found["metric_scatter"].axes[0].get_title() == "BetaVAE score"
  assert "Metrics on dSprites" in found["metric_scatter"].get_supxlabel()
  assert "**dSprites** (n = 36)" in found["metric_agreement.md"]
  assert "| MIG |" in found["metric_agreement.md"]


def test_the_data_set_of_the_points():
  options = {"scores": ("mig", "sap"), "resamples": 0, "data": "noisy_dsprites"}
  figure = plot_metric_agreement(small_study(), **options)["metric_scatter"]
  assert "Metrics on Noisy-dSprites" in figure.get_supxlabel().replace("\n", " ")
