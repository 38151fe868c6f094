import numpy as np

from disentangle_tf.pictures import decoder_jacobians


def test_of_a_linear_decoder_its_matrix():
  matrix = np.random.default_rng(0).normal(size=(3, 12))
  codes = np.random.default_rng(1).normal(size=(5, 3))
  found = decoder_jacobians(lambda z: (z @ matrix).reshape(-1, 2, 2, 3), codes)
  assert found.shape == (5, 12, 3)
  np.testing.assert_allclose(found, np.tile(matrix.T, (5, 1, 1)), atol=1e-4)


def test_of_a_curve_its_slope():
  codes = np.array([[0.5], [-1.0]])
  found = decoder_jacobians(lambda z: np.concatenate([np.sin(z), z**2], 1), codes)
  slopes = np.stack([np.cos(codes), 2 * codes], axis=1)
  np.testing.assert_allclose(found, slopes, atol=1e-4)
