import numpy as np
import pytest
from figure_checks import drawn_matrix

from disentangle_tf import plots


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_rgb(channels):
  images = np.random.default_rng(0).random((4, 5, channels))
  rgb = plots.to_rgb(images)
  assert rgb.shape == (4, 5, 3)
  np.testing.assert_array_equal(rgb[..., :channels], images[..., :3])
  if channels == 2:
    assert not rgb[..., 2].any()


def test_grid_places_every_image():
  images = np.random.default_rng(0).random((2, 3, 4, 5, 3))
  grid = plots.image_grid(images, padding=1)
  assert grid.shape == (2 * 5 + 1, 3 * 6 + 1, 3)
  for row in range(2):
    for column in range(3):
      top, left = 1 + 5 * row, 1 + 6 * column
      np.testing.assert_array_equal(
        grid[top : top + 4, left : left + 5], images[row, column]
      )
  assert (grid[0] == 1).all() and (grid[:, -1] == 1).all()
  assert plots.image_grid(images, scale=3, padding=0).shape == (24, 45, 3)


def test_grey_is_no_change_and_white_is_epsilon():
  images = np.full((4, 2, 2, 1), 0.5)
  change = np.array([0.0, 0.1, -0.1, 0.05]).reshape(4, 1, 1, 1)
  original, middle, last = plots.change_rows(images, images + change, 0.1)
  np.testing.assert_array_equal(original, images)
  np.testing.assert_allclose(middle[:, 0, 0, 0], [0.5, 1.0, 0.0, 0.75], atol=1e-12)
  np.testing.assert_array_equal(last, images + change)


def test_rounding_does_not_leave_the_range():
  images = np.zeros((1, 1, 1, 1), np.float32)
  rows = plots.change_rows(images, images + np.float32(0.1), 0.0999999)
  assert rows.max() == 1.0


def test_traversals_name_their_factors():
  images = np.random.default_rng(0).random((2, 3, 8, 8, 1))
  axis = plots.traversals_figure(images, ["x", "y"]).axes[0]
  assert [label.get_text() for label in axis.get_yticklabels()] == ["x", "y"]
  np.testing.assert_array_equal(
    axis.images[0].get_array(), plots.image_grid(images, padding=1)
  )


def test_rows_are_named_beside_their_images():
  axis = plots.traversals_figure(np.zeros((3, 2, 8, 8, 1)), "xyz").axes[0]
  np.testing.assert_array_equal(axis.get_yticks(), [5, 14, 23])  # lines of one pixel


def test_pictures_with_their_names():
  pictures = {"a": np.zeros((4, 4, 3)), "b": np.random.default_rng(0).random((4, 4, 3))}
  figure = plots.picture_grid_figure(
    pictures, x_labels={"a": "x", "b": "y"}, y_labels={"a": "u", "b": "v"}
  )
  for axis, (name, picture) in zip(figure.axes, pictures.items(), strict=True):
    assert axis.get_title() == name
    np.testing.assert_array_equal(drawn_matrix(axis), picture)
  assert [axis.get_xlabel() for axis in figure.axes] == ["x →", "y →"]
  assert [axis.get_ylabel() for axis in figure.axes] == ["u →", "v →"]
