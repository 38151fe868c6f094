import pytest

from disentangle_tf.plots.panel_grid import PanelGrid, add_caption, legend_columns


def test_rows_and_columns_are_named_once():
  keys = [(row, column) for row in "ab" for column in ("x", "y", "z")]
  grid = PanelGrid(keys, size=(1, 1))
  assert [grid.axes[key].get_title() for key in keys] == ["x", "y", "z", "", "", ""]
  assert [grid.axes[key].get_ylabel() for key in keys] == ["a", "", "", "b", "", ""]
  assert grid.lowest == [grid.axes["b", column] for column in "xyz"]
  assert grid.leftmost == [grid.axes["a", "x"], grid.axes["b", "x"]]


def test_titles_in_reading_order_on_one_page():
  titles = [f"set {number}" for number in range(7)]
  grid = PanelGrid(titles, size=(2, 1.5))
  assert (grid.rows, grid.columns) == (3, 3)
  assert [axis.get_title() for axis in grid.axes.values()] == titles
  assert len(grid.figure.axes) == 7  # no empty ones
  assert grid.figure.get_figwidth() <= 7.2
  # Panels above an empty place are also lowest.
  lowest = [axis.get_title() for axis in grid.lowest]
  assert lowest == ["set 4", "set 5", "set 6"]


def test_long_names_are_folded():
  grid = PanelGrid([("a", "DCI disentanglement")], size=(1.1, 1))
  assert grid.axes["a", "DCI disentanglement"].get_title() == "DCI\ndisentanglement"


def test_caption_legend_and_notes():
  grid = PanelGrid(["a"], size=(3, 2), caption="word " * 40)
  lines = grid.figure.get_supxlabel().split("\n")
  assert len(lines) > 1 and " ".join(lines).split() == ["word"] * 40
  grid.legend({"one": {"color": "red"}, "two": {"color": "blue"}})
  shown = [text.get_text() for text in grid.figure.legends[0].get_texts()]
  assert shown == ["one", "two"]
  grid.note({"a": "n = 5"})
  assert [text.get_text() for text in grid.axes["a"].texts] == ["n = 5"]


def test_dollars_are_no_formula():
  grid = PanelGrid(["a $x"], size=(2, 2), caption="costs $5 and $6")
  assert not grid.axes["a $x"].title.get_parse_math()
  add_caption(grid.figure, "$")
  grid.figure.canvas.draw()


@pytest.mark.parametrize(("width", "columns"), [(1, 1), (2, 2), (9, 3)])
def test_legends_fit(width, columns):
  assert legend_columns(["a" * 10] * 3, width) == columns
