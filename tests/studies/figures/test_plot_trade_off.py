import numpy as np
from study_figure_checks import run_figure_test, small_study

from disentangle_tf.studies.analyses import trade_off
from disentangle_tf.studies.figures import plot_trade_off


def test_promises():
  run_figure_test(plot_trade_off)


def test_labelled_points_of_means():
  table = small_study()
  figure = plot_trade_off(table, over="BETA")["trade_off"]
  axis = figure.axes[0]
  texts = [text.get_text() for text in axis.texts]
  assert texts[:2] == ["1", "2"] and texts[-1] == "n = 36"
  assert axis.get_title() == "dSprites" and figure.get_supylabel() == "FactorVAE score"
  assert "values of BETA" in figure.get_supxlabel().replace("\n", " ")
  found = trade_off(table, x="reconstruction_nats", y="factor_vae_eval_accuracy")
  curve = found["dsprites"]["beta-VAE"]
  points = axis.get_lines()[0].get_xydata()
  np.testing.assert_array_equal(points, np.stack([curve.x, curve.y], axis=1))
