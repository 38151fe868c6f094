import numpy as np
from figure_checks import row_labels

from disentangle_tf import plots

_PANELS = {
  "first": {"a": (0.2, 0.1, 0.4), "b": (-0.3, -0.5, -0.1)},
  "second": {"c": (0.0, -0.2, 0.1), "d": None},
}


def test_points_intervals_and_names():
  figure = plots.forest_figure(_PANELS, notes={"first": "shown"}, x_label="gain")
  first, second = figure.axes
  assert (first.get_title(loc="left"), first.get_title()) == ("first", "")
  assert row_labels(first) == ["a", "b"] and row_labels(second) == ["c", "d"]
  _, interval, point, *others = first.get_lines()
  np.testing.assert_allclose(interval.get_xdata(), [0.1, 0.4])
  assert point.get_xdata() == [0.2] and point.get_ydata() == [0]
  assert first.texts[0].get_text() == "shown" and second.get_xlabel() == "gain"
  colours = [line.get_color() for line in (point, others[1], second.get_lines()[2])]
  assert len(set(colours)) == 3  # above 0, below 0, and neither
  assert len(second.get_lines()) == 3  # nothing is drawn where there is no estimate
  assert first.get_ylim()[0] > first.get_ylim()[1]  # the first row is on top
