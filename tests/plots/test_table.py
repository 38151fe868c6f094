from disentangle_tf import plots


def test_every_text_is_there():
  figure = plots.table_figure(
    [["1", "2\n[0, 3]"], ["3", "4"]], ["a", "b"], ["x", "long name of it"],
    corner="who", caption="words",
  )  # fmt: skip
  (axis,) = figure.axes
  texts = [text.get_text() for text in axis.texts]
  assert texts == ["who", "x", "long name of it", "a", "1", "2\n[0, 3]", "b", "3", "4"]
  assert len(axis.get_lines()) == 3 and figure.get_supxlabel() == "words"
  # Cells of a column are below its name, rows beneath each other.
  places = {text.get_text(): text.get_position() for text in axis.texts}
  assert places["x"][0] == places["1"][0] == places["3"][0]
  assert places["who"][1] < places["a"][1] < places["b"][1]


def test_long_names_are_folded():
  figure = plots.table_figure([["1"]], ["a"], ["DCI disentanglement"])
  assert figure.axes[0].texts[1].get_text() == "DCI\ndisentanglement"
