import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.data import XYSquares
from disentangle_tf.losses import MSE, Bernoulli, Overlap, box_kernel
from disentangle_tf.perceived import distance_matrices, distance_matrix


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
