import numpy as np
import pytest

from disentangle_tf.losses import MAE, MSE, Bernoulli, Overlap, box_kernel
from disentangle_tf.perceived import pairwise_distances


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
