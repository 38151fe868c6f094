import numpy as np
import pytest

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
