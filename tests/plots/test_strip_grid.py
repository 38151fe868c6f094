import numpy as np

from disentangle_tf import plots


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
