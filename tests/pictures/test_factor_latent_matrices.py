import numpy as np
import pytest

from disentangle_tf.pictures import factor_latent_matrices


def test_each_way_finds_the_latent_that_is_the_factor():
  rng = np.random.default_rng(0)
  factors = rng.integers(4, size=(900, 2))
  noise = rng.normal(size=900)
  codes = np.stack([-2.0 * factors[:, 1], noise, 1.0 * factors[:, 0]], axis=1)
  found = factor_latent_matrices(codes, factors)
  assert list(found) == ["mutual information", "correlation", "importance", "accuracy"]
  for matrix in found.values():
    assert matrix.shape == (3, 2)
    assert np.argmax(matrix, axis=0).tolist() == [2, 0]
  # A factor with four equally frequent values has log 4 nats.
  assert found["mutual information"][2, 0] == pytest.approx(np.log(4), abs=0.01)
  assert found["correlation"][0, 1] == pytest.approx(1)  # its sign is dropped
  # Linear one-against-rest classifiers separate three of the four values.
  assert found["accuracy"][2, 0] > 0.7 > found["accuracy"][1, 0] + 0.3
  np.testing.assert_allclose(found["importance"].sum(axis=0), 1, rtol=1e-6)
