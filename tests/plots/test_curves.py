import numpy as np
import pytest
from matplotlib import figure as mpl_figure

from disentangle_tf import plots
from disentangle_tf.plots.curves import set_score_limits


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


_X, _Y = np.arange(3.0), np.array([0.1, 0.5, 0.3])


def test_lines_bands_and_points():
  figure = plots.curve_grid_figure(
    {"a": {"one": (_X, _Y), "two": (_X, _Y + 1, _Y, _Y + 2)}},
    x_label="strength",
    y_label="TC",
    x_ticks=[0, 1, 2],
    y_limits=(0, 4),
    notes={"a": "n = 3"},
    caption="words",
  )
  (axis,) = figure.axes
  first, second = axis.get_lines()
  np.testing.assert_array_equal(first.get_xydata(), np.stack([_X, _Y], axis=1))
  np.testing.assert_array_equal(second.get_ydata(), _Y + 1)
  assert first.get_color() != second.get_color()
  assert first.get_marker() != second.get_marker() != ""
  (band,) = axis.collections
  edges = band.get_paths()[0].vertices
  assert edges[:, 1].min() == 0.1 and edges[:, 1].max() == 2.5
  assert axis.get_xlabel() == "strength" and figure.get_supylabel() == "TC"
  assert axis.get_xticks().tolist() == [0, 1, 2] and axis.get_ylim() == (0, 4)
  assert [text.get_text() for text in axis.texts] == ["n = 3"]
  assert figure.get_supxlabel() == "words"
  assert [t.get_text() for t in figure.legends[0].get_texts()] == ["one", "two"]


def test_a_curve_that_turns_back_has_bars():
  x = np.array([0.0, 2.0, 1.0])
  figure = plots.curve_grid_figure({"a": {"one": (x, _Y, _Y - 1, _Y + 2)}})
  (bars,) = figure.axes[0].collections
  found = np.array([path.vertices for path in bars.get_paths()])
  np.testing.assert_allclose(found[:, :, 0], np.stack([x, x], axis=1))
  np.testing.assert_allclose(found[:, :, 1], np.stack([_Y - 1, _Y + 2], axis=1))


def test_points_instead_of_markers_and_labels():
  points = np.array([[0.0, 0.2], [1.0, 0.4]])
  figure = plots.curve_grid_figure(
    {"a": {"one": (_X, _Y)}},
    points={"a": {"one": points}},
    point_labels={"a": {"one": ["p", "q", "r"]}},
  )
  (axis,) = figure.axes
  assert axis.get_lines()[0].get_marker() == ""
  np.testing.assert_array_equal(axis.collections[0].get_offsets(), points)
  assert [(text.get_text(), text.xy) for text in axis.texts] == [
    ("p", (0.0, 0.1)), ("q", (1.0, 0.5)), ("r", (2.0, 0.3)),
  ]  # fmt: skip


def test_logarithms_counts_and_nothing():
  nothing = (np.zeros(0), np.zeros(0))
  figure = plots.curve_grid_figure(
    {"a": {"one": (np.array([10, 100]), np.array([1, 3])), "two": nothing}}, log_x=True
  )
  assert figure.axes[0].get_xscale() == "log"
  assert len(figure.legends[0].get_texts()) == 2
  counts = plots.curve_grid_figure({"a": {"one": (_X, np.array([1, 2, 4]))}})
  counts.canvas.draw()
  assert all(tick == int(tick) for tick in counts.axes[0].get_yticks())


def test_curves_of_many_runs():
  curves = {f"run {i}": {1: [i / 40], 2: [0.5]} for i in range(40)}
  figure = plots.score_curves_figure({"mig": curves}, "spacing")
  lines = figure.axes[0].get_lines()
  assert len(lines) == 40
  assert len({(line.get_color(), line.get_marker()) for line in lines}) == 40
  assert [text.get_text() for text in figure.legends[0].get_texts()] == list(curves)


def test_medians_are_lines_and_models_are_points():
  curves = {"a": {1: [0.1, 0.2, 0.9], 2: [0.5]}}
  figure = plots.score_curves_figure({"mig": curves, "dci": curves}, "spacing")
  mig, dci = figure.axes
  assert [mig.get_title(), dci.get_title()] == ["mig", "dci"]
  assert mig.get_xlabel() == "spacing" and mig.get_xticks().tolist() == [1, 2]
  np.testing.assert_array_equal(mig.lines[0].get_xydata(), [[1, 0.2], [2, 0.5]])
  points = np.concatenate([points.get_offsets() for points in mig.collections])
  np.testing.assert_array_equal(points, [[1, 0.1], [1, 0.2], [1, 0.9], [2, 0.5]])


def test_cumulative_shares():
  figure = plots.cumulative_figure({"random": [3.0, 1.0, 2.0, 4.0], "x": [1.0, 1.0]})
  random, x = figure.axes[0].get_lines()
  assert random.get_color() == "black"
  np.testing.assert_array_equal(random.get_xdata(), [0, 1, 2, 3, 4])
  np.testing.assert_array_equal(random.get_ydata(), [0, 0.25, 0.5, 0.75, 1])
  assert x.get_ydata()[-1] == 1


def test_curves_are_named_and_differ():
  names = ["random", *"abcde"]
  figure = plots.cumulative_figure({name: [1.0, 2.0] for name in names})
  lines = figure.axes[0].get_lines()
  assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 6
  assert [text.get_text() for text in figure.legends[0].get_texts()] == names
