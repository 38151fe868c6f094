import numpy as np
import pytest
from shared_checks import run_dataset_test, tiny_data

from disentangle_tf.data import GroundTruthData, XYSquares, num_points
from disentangle_tf.errors import UserError


@pytest.mark.parametrize(
  "options",
  [
    {},
    {"grid_spacing": 3},
    {"num_squares": 1},
    {"grey": True},
    {"image_size": 16, "square_size": 2, "grid_spacing": 2, "num_squares": 2},
  ],
)
def test_keeps_the_promises_of_a_data_set(options):
  run_dataset_test(XYSquares(**options))


def test_the_papers_set():
  data = XYSquares()
  assert data.factors.names == ("x_R", "y_R", "x_G", "y_G", "x_B", "y_B")
  assert data.factors.sizes == (8,) * 6
  assert len(data) == num_points(data) == 262_144
  assert data.observation_shape == (64, 64, 3)


def test_offsets_of_the_spacings():
  offsets = [XYSquares(grid_spacing=spacing).offset for spacing in range(8, 0, -1)]
  assert offsets == [0, 3, 7, 10, 14, 17, 21, 24]


@pytest.mark.parametrize("spacing", [1, 5, 8])
def test_every_square_is_where_its_factors_say(spacing):
  data = XYSquares(grid_spacing=spacing)
  factors = data.factors.draw(20, np.random.default_rng(1))
  expected = np.zeros((20, 64, 64, 3), np.float32)
  for image, point in zip(expected, factors, strict=True):
    for channel in range(3):
      x, y = data.offset + spacing * point[2 * channel : 2 * channel + 2]
      image[y : y + 8, x : x + 8, channel] = 1
  np.testing.assert_array_equal(data.observe(factors), expected)


def test_distance_along_every_factor_is_constant():
  data = XYSquares()
  point = data.factors.draw(1, np.random.default_rng(0))[0]
  for factor in range(6):
    images = data.observe(data.factors.traversal(point, factor)).numpy()
    distances = ((images[:, None] - images[None]) ** 2).mean(axis=(2, 3, 4))
    off_diagonal = distances[~np.eye(8, dtype=bool)]
    np.testing.assert_allclose(off_diagonal, 128 / 12288, rtol=1e-6)


def test_mean_distance_of_random_pairs():
  # Every pixel is lit in 1 image of 64: 2 * 1/64 * 63/64.
  data = XYSquares()
  rng = np.random.default_rng(0)
  first, second = (data.observe(data.factors.draw(500, rng)).numpy() for _ in range(2))
  distances = ((first - second) ** 2).mean(axis=(1, 2, 3))
  error = distances.std() / np.sqrt(500)
  assert abs(distances.mean() - 2 * 63 / 64**2) < 4 * error


def test_grey_squares_merge():
  grey = XYSquares(grey=True).observe([[0, 0, 0, 0, 7, 7]]).numpy()
  assert grey.shape == (1, 64, 64, 1)
  assert grey.sum() == 2 * 64


def test_standardisation_is_that_of_table_a2():
  mean, std = XYSquares().standardisation()
  assert mean == (0.015625,) * 3
  np.testing.assert_allclose(std, 0.124034734589209, rtol=1e-14)


def test_standardisation_in_closed_form_is_the_measured_one():
  data = tiny_data()
  np.testing.assert_allclose(
    data.standardisation(), GroundTruthData.standardisation(data), rtol=1e-7
  )


def test_grey_standardisation_is_measured():
  data = tiny_data(grey=True)
  images = data.observe(data.factors.to_factors(np.arange(len(data)))).numpy()
  (mean,), (std,) = data.standardisation()
  assert mean == pytest.approx(images.mean())
  assert std == pytest.approx(images.std(axis=(1, 2, 3), ddof=1).mean())


@pytest.mark.parametrize(
  "options",
  [
    {"num_squares": 0},
    {"num_squares": 4},
    {"grid_spacing": 0},
    {"grid_spacing": 9},
    {"square_size": 65},
  ],
)
def test_impossible_options_are_named(options):
  with pytest.raises(UserError, match=next(iter(options))):
    XYSquares(**options)
