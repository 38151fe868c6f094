import numpy as np

from disentangle_tf import plots

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
