import numpy as np

from disentangle_tf import plots


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
