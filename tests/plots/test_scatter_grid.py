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
