import numpy as np
from figure_checks import assert_shows_scale, drawn_matrix

from disentangle_tf import plots


def test_matrices_share_a_scale():
  figure = plots.matrices_figure(
    [np.eye(3), 5 * np.eye(3)], ["a", "b"], label="distance"
  )
  drawn = [axis.images[0] for axis in figure.axes if axis.images]
  assert [image.get_clim() for image in drawn[:2]] == [(0, 5), (0, 5)]
  assert [axis.get_title() for axis in figure.axes[:2]] == ["a", "b"]
  np.testing.assert_array_equal(drawn_matrix(figure.axes[1]), 5 * np.eye(3))
  assert figure.axes[2].get_ylabel() == "distance"
  assert_shows_scale(plots.figure_to_png(figure))


def test_missing_distances_stay_white():
  holes = np.array([[0.0, np.nan], [np.nan, 2.0]])
  figure = plots.matrices_figure([holes, np.eye(2)], ["a", "b"], label="distance")
  assert figure.axes[0].images[0].get_clim() == (0, 2)
  np.testing.assert_array_equal(drawn_matrix(figure.axes[0]), holes)
  assert_shows_scale(plots.figure_to_png(figure))
