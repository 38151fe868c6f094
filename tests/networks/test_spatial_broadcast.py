import numpy as np

from disentangle_tf import networks
from disentangle_tf.networks.spatial_broadcast import SpatialBroadcast


def test_codes_and_coordinates_at_every_pixel():
  codes = np.array([[5.0, 6.0], [7.0, 8.0]])
  grid = SpatialBroadcast(3, 5)(codes).numpy()
  assert grid.shape == (2, 3, 5, 4)
  np.testing.assert_array_equal(grid[0, ..., :2], np.full((3, 5, 2), (5, 6)))
  np.testing.assert_array_equal(grid[1, ..., :2], np.full((3, 5, 2), (7, 8)))
  for image in grid:
    np.testing.assert_array_equal(image[..., 2], [[-1, -0.5, 0, 0.5, 1]] * 3)
    np.testing.assert_array_equal(image[..., 3].T, [[-1, 0, 1]] * 5)


def test_decoder():
  decoder = networks.spatial_broadcast_decoder((64, 64, 3), latents=10)
  first, second, last = 16 * 12 * 64 + 64, 16 * 64 * 64 + 64, 16 * 64 * 3 + 3
  assert decoder.count_params() == first + second + last


def test_takes_any_sides_and_number_of_layers():
  decoder = networks.spatial_broadcast_decoder((7, 10, 1), latents=2, filters=(4, 5, 6))
  assert decoder(np.zeros((3, 2))).shape == (3, 7, 10, 1)
  widths = [layer.filters for layer in decoder.layers if layer.weights]
  assert widths == [4, 5, 6, 1]
