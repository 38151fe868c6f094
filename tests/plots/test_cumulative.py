import numpy as np

from disentangle_tf import plots


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
