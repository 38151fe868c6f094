import pytest
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.plots.score_axis import set_score_limits


@pytest.mark.parametrize(
  ("scores", "limits"),
  [
    ([0.2, 0.7], (-0.02, 1.02)),
    ([-0.5, 1.5], (-0.54, 1.54)),
    ([3.0, 5.0], (-0.1, 5.1)),
  ],
)
def test_the_axis_of_scores_follows_them(scores, limits):
  figures = [
    plots.score_curves_figure({"a": {"run": {1: scores}}, "b": {"run": {1: [0]}}}, "s"),
    plots.score_strips_figure({"a": {"run": scores}, "b": {"run": [0]}}),
  ]
  for figure in figures:
    for axis in figure.axes:
      assert axis.get_ylim() == pytest.approx(limits)


def test_without_scores_all_of_0_to_1_is_shown():
  axis = mpl_figure.Figure().subplots()
  set_score_limits(axis, [[], []])
  assert axis.get_ylim() == pytest.approx((-0.02, 1.02))
