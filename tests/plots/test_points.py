import numpy as np

from disentangle_tf import plots

_POINTS = np.random.default_rng(0).random((6, 2))


def test_every_point_is_there():
  panels = {
    ("row", "x"): {"one": _POINTS[:4], "two": _POINTS[4:]},
    ("row", "y"): {"two": _POINTS},
  }
  figure = plots.scatter_grid_figure(
    panels, x_label="across", y_label="up", notes={("row", "x"): "n = 6"}
  )
  first, second = figure.axes
  assert first.get_title() == "x" and first.get_ylabel() == "row"
  shown = {each.get_label(): each for each in first.collections}
  np.testing.assert_array_equal(shown["one"].get_offsets(), _POINTS[:4])
  np.testing.assert_array_equal(shown["two"].get_offsets(), _POINTS[4:])
  assert [text.get_text() for text in first.texts] == ["n = 6"]
  assert first.get_xlabel() == second.get_xlabel() == "across"
  assert figure.get_supylabel() == "up"
  # A label has the same colour in all panels.
  other = second.collections[0]
  assert (other.get_facecolor() == shown["two"].get_facecolor()).all()
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["one", "two"]


def test_the_identity():
  figure = plots.scatter_grid_figure({"a": {"one": _POINTS}}, identity=True)
  (line,) = figure.axes[0].get_lines()
  assert line.get_slope() == 1 and line.get_xy1() == (0, 0)
  assert not plots.scatter_grid_figure({"a": {"one": _POINTS}}).axes[0].get_lines()


def test_groups_without_points():
  figure = plots.scatter_grid_figure({"a": {"one": np.zeros((0, 2)), "two": _POINTS}})
  assert plots.figure_to_png(figure).startswith(b"\x89PNG")
  assert len(figure.legends[0].get_texts()) == 2


def test_every_value_is_a_point_and_the_median_a_bar():
  values = np.array([0.1, 0.2, 0.9])
  panels = {("row", "x"): {"one": values, "two": []}, ("row", "y"): {"one": [0.5]}}
  figure = plots.strip_grid_figure(
    panels, notes={("row", "x"): "n = 3"}, caption="words"
  )
  first, second = figure.axes
  (points,) = first.collections
  np.testing.assert_array_equal(points.get_offsets()[:, 1], values)
  assert np.abs(points.get_offsets()[:, 0]).max() <= 0.3
  span, bar = first.get_lines()
  assert span.get_ydata().tolist() == [0.1, 0.9]
  assert bar.get_ydata().tolist() == [0.2, 0.2]
  assert first.get_xticks().tolist() == [0, 1]
  assert len(second.collections) == 1
  legend = [text.get_text() for text in figure.legends[0].get_texts()]
  assert legend == ["0 = one", "1 = two"]
  assert [text.get_text() for text in first.texts] == ["n = 3"]
  assert figure.get_supxlabel() == "words"


def test_points_of_many_models_stay_in_their_strip():
  figure = plots.strip_grid_figure({"a": {"one": np.arange(300.0), "two": [1.0]}})
  offsets = figure.axes[0].collections[0].get_offsets()
  assert len(offsets) == 300 and np.abs(offsets[:, 0]).max() <= 0.3
  assert len(np.unique(offsets[:, 0])) > 250  # spread out


def test_every_score_is_a_point_and_the_median_a_bar():
  strips = {"a, mse": [0.1, 0.2, 0.9], "b": [0.5]}
  figure = plots.score_strips_figure({"mig": strips, "dci": strips})
  mig, dci = figure.axes
  assert [mig.get_title(), dci.get_title()] == ["mig", "dci"]
  shown = [label.get_text() for label in mig.get_xticklabels()]
  assert shown == ["a\nmse", "b"]
  points = [points.get_offsets()[:, 1].tolist() for points in mig.collections]
  assert points == [[0.1, 0.2, 0.9], [0.5]]
  assert [line.get_ydata()[0] for line in mig.lines] == [0.2, 0.5]
  assert [text.get_text() for text in mig.texts] == ["0.20", "0.50"]
