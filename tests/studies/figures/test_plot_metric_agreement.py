import numpy as np
from study_figure_checks import maps_of, run_figure_test, small_study

from disentangle_tf.studies.analyses import metric_agreement
from disentangle_tf.studies.figures import plot_metric_agreement


def test_promises():
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
