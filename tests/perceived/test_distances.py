import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.data import XYSquares
from disentangle_tf.losses import MAE, MSE, Bernoulli, Overlap, box_kernel
from disentangle_tf.perceived import (
  distance_matrices,
  distance_matrix,
  pairwise_distances,
)


def test_constant_under_mse_at_full_spacing():
  data = tiny_data()
  matrix = distance_matrix(data, MSE(), 0, num_traversals=5)
  # Four pixels go dark and four light up, of 128.
  np.testing.assert_allclose(matrix, (1 - np.eye(4)) * 8 / 128, rtol=1e-6)


def test_overlap_orders_the_positions():
  loss = Overlap(MSE(), box_kernel(3), alpha=49)
  matrix = distance_matrix(tiny_data(), loss, 0, num_traversals=5)
  assert (np.diff(matrix[0]) > 0).all()
  np.testing.assert_allclose(matrix, matrix.T, atol=1e-6)


def test_is_the_mean_over_all_traversals_by_brute_force():
  data = XYSquares(image_size=8, square_size=4, grid_spacing=1, num_squares=1)
  loss = Bernoulli(epsilon=0.01)
  points = [data.factors.traversal((0, y), 0) for y in range(2)]
  images = [data.observe(p).numpy() for p in points]
  expected = [
    [np.mean([np.mean(loss.distance(x[i], x[j])) for x in images]) for j in range(2)]
    for i in range(2)
  ]
  matrix = distance_matrix(data, loss, 0, num_traversals=40)
  np.testing.assert_allclose(matrix, expected, rtol=1e-4)


def test_seeded():
  loss = Overlap(MSE(), box_kernel(3), alpha=49)  # distances depend on the place
  first, again, other = (
    distance_matrix(tiny_data(), loss, 1, num_traversals=3, rng=seed)
    for seed in (0, 0, 9)
  )
  np.testing.assert_array_equal(first, again)
  assert first != pytest.approx(other)


def test_matrices_of_all_factors():
  found = distance_matrices(tiny_data(), MSE(), num_traversals=3, rng=5)
  for factor, matrix in enumerate(found):
    expected = distance_matrix(tiny_data(), MSE(), factor, num_traversals=3, rng=5)
    np.testing.assert_array_equal(matrix, expected)
  assert len(found) == 4


@pytest.mark.parametrize(
  "loss", [MSE(), MAE(), Bernoulli(), Overlap(MSE(), box_kernel(2), alpha=9.0)]
)
def test_pairwise_distances_are_those_of_single_pairs(loss):
  images = np.random.default_rng(0).random((5, 8, 8, 2), np.float32)
  matrix = pairwise_distances(loss, images).numpy()
  for i in range(5):
    for j in range(5):
      expected = np.mean(loss.distance(images[i : i + 1], images[j : j + 1]))
      assert matrix[i, j] == pytest.approx(expected, rel=1e-4, abs=1e-7), (i, j)


def test_squared_errors_of_black_grey_and_white():
  images = np.array([0.0, 0.5, 1.0], np.float32)[:, None, None, None] * np.ones(
    (2, 2, 1)
  )
  expected = [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]]
  np.testing.assert_allclose(pairwise_distances(MSE(), images), expected, atol=1e-6)


def test_the_first_image_is_the_target():
  images = np.array([0.0, 0.8], np.float32)[:, None, None, None] * np.ones((2, 2, 1))
  matrix = pairwise_distances(Bernoulli(), images).numpy()
  assert matrix[0, 1] != pytest.approx(matrix[1, 0], rel=1e-3)
  expected = np.mean(Bernoulli().distance(images[:1], images[1:]))
  assert matrix[0, 1] == pytest.approx(expected, rel=1e-4)
