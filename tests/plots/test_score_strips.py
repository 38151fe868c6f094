from disentangle_tf import plots


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
