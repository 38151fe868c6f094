import functools

import numpy as np
from study_figure_checks import run_figure_test, small_study

from disentangle_tf.studies.analyses import mean_intervals
from disentangle_tf.studies.figures import plot_mean_intervals

_SCORES = ("sap", "kl")


def test_promises():
  run_figure_test(functools.partial(plot_mean_intervals, scores=_SCORES))


def test_means_over_a_setting():
  table = small_study()
  figure = plot_mean_intervals(table, scores=_SCORES, over="BETA", label="β")[
    "mean_intervals"
  ]
  curves = mean_intervals(table, scores=_SCORES, over="BETA")["dsprites", "kl"]
  axis = figure.axes[1]
  assert axis.get_title() == "KL" and figure.axes[-1].get_xlabel() == "β"
  for line, curve in zip(axis.get_lines(), curves.values(), strict=True):
    np.testing.assert_array_equal(line.get_xdata(), [1, 2])
    np.testing.assert_array_equal(line.get_ydata(), curve.y)
  assert len(axis.collections) == 6  # bands
  assert axis.texts[0].get_text() == "n = 36"
