import numpy as np
from figure_checks import assert_shows, assert_shows_scale, drawn_matrix

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


def test_rows_of_matrices():
  rows = {"a": [np.eye(2), 2 * np.eye(2)], "b": [3 * np.eye(2), 0 * np.eye(2)]}
  figure = plots.matrix_rows_figure(rows, ["x", "y"])
  assert [axis.get_title() for axis in figure.axes] == ["x", "y", "", ""]
  assert [axis.images[0].get_clim()[1] for axis in figure.axes[:3]] == [1, 2, 3]
  assert [axis.get_ylabel() for axis in figure.axes] == ["a", "", "b", ""]
  assert [axis.get_xlabel() for axis in figure.axes[:3]] == ["max 1", "max 2", "max 3"]
  np.testing.assert_array_equal(drawn_matrix(figure.axes[2]), 3 * np.eye(2))
  assert_shows_scale(plots.figure_to_png(figure))


def test_matrix_rows_missing_distances_stay_white():
  holes = np.array([[0.0, np.nan], [np.nan, 2.0]])
  figure = plots.matrix_rows_figure({"row": [holes]}, ["a"])
  assert figure.axes[0].images[0].get_clim() == (0, 2)
  np.testing.assert_array_equal(drawn_matrix(figure.axes[0]), holes)
  assert_shows_scale(plots.figure_to_png(figure))


def test_heat_maps_show_every_number():
  matrices = {"a": np.arange(6).reshape(3, 2), "b": np.zeros((3, 2))}
  figure = plots.heat_maps_figure(matrices, ["x", "y"])
  first, second = figure.axes
  assert [text.get_text() for text in first.texts] == [f"{i}.00" for i in range(6)]
  assert first.images[0].get_clim() == (0, 5)
  assert [label.get_text() for label in second.get_xticklabels()] == ["x", "y"]
  many = plots.heat_maps_figure({"a": np.ones((100, 2))}, ["x", "y"])
  assert not many.axes[0].texts and len(many.axes) == 2


def test_dead_latents_are_grey_and_never_the_brightest():
  matrix = np.array([[0.5, 0.1], [0.2, 0.4], [9.0, 8.0]])
  figure = plots.heat_maps_figure({"a": matrix}, "xy", latents=[4, 0, 7], dead=[7])
  (axis,) = figure.axes
  labels = [label.get_text() for label in axis.get_yticklabels()]
  assert labels == ["latent 4", "latent 0", "latent 7 (dead)"]
  shown = axis.images[0]
  assert shown.get_clim() == (0, 0.5)  # the colours are those of the others
  np.testing.assert_array_equal(shown.get_array().mask, [[0, 0], [0, 0], [1, 1]])
  (patch,) = axis.patches
  assert patch.get_hatch() and patch.get_y() == 1.5  # the third row
  red, green, blue, _ = patch.get_facecolor()
  assert red == green == blue
  assert [text.get_text() for text in axis.texts][-2:] == ["9.00", "8.00"]
  all_dead = plots.heat_maps_figure({"a": matrix}, "xy", dead=[0, 1, 2])
  assert all_dead.axes[0].images[0].get_array().mask.all()
  grey = (238 / 255,) * 3
  assert_shows(plots.figure_to_png(all_dead), [grey, (1, 1, 1)])
