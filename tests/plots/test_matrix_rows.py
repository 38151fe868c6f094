import numpy as np
from figure_checks import assert_shows_scale, drawn_matrix

from disentangle_tf import plots


def test_rows_of_matrices():
  rows = {"a": [np.eye(2), 2 * np.eye(2)], "b": [3 * np.eye(2), 0 * np.eye(2)]}
  figure = plots.matrix_rows_figure(rows, ["x", "y"])
  assert [axis.get_title() for axis in figure.axes] == ["x", "y", "", ""]
  assert [axis.images[0].get_clim()[1] for axis in figure.axes[:3]] == [1, 2, 3]
  assert [axis.get_ylabel() for axis in figure.axes] == ["a", "", "b", ""]
  assert [axis.get_xlabel() for axis in figure.axes[:3]] == ["max 1", "max 2", "max 3"]
  np.testing.assert_array_equal(drawn_matrix(figure.axes[2]), 3 * np.eye(2))
  assert_shows_scale(plots.figure_to_png(figure))


def test_missing_distances_stay_white():
  holes = np.array([[0.0, np.nan], [np.nan, 2.0]])
  figure = plots.matrix_rows_figure({"row": [holes]}, ["a"])
  assert figure.axes[0].images[0].get_clim() == (0, 2)
  np.testing.assert_array_equal(drawn_matrix(figure.axes[0]), holes)
  assert_shows_scale(plots.figure_to_png(figure))
