import numpy as np
import pytest
from shared_checks import tiny_data
from tensorflow_probability import distributions as tfd

from disentangle_tf.export import ExportedModel
from disentangle_tf.losses import MSE
from disentangle_tf.perceived import distance_matrix, level_matrices
from disentangle_tf.perceived.level_matrices import symmetric_kl


def test_symmetric_kl_is_tfps():
  rng = np.random.default_rng(0)
  means, log_variances = rng.normal(size=(2, 4, 3))
  found = symmetric_kl(means, log_variances)
  stds = np.exp(0.5 * log_variances)
  each = [tfd.Normal(*pair) for pair in zip(means, stds, strict=True)]
  for i, first in enumerate(each):
    for j, second in enumerate(each):
      both = first.kl_divergence(second) + second.kl_divergence(first)
      assert found[i, j] == pytest.approx(0.5 * np.sum(both), abs=1e-9)


class Identity:
  """Codes that are the pixels of the red channel, and a decoder that is exact."""

  has_decoder = True

  def encode_distribution(self, images):
    codes = images[..., 0].reshape(len(images), -1)
    return codes, np.zeros_like(codes)

  def reconstruct(self, images):
    return images


def test_levels_of_a_perfect_model():
  data = tiny_data()
  levels = level_matrices(data, MSE(), Identity(), 0, num_traversals=5)
  assert list(levels) == [
    "ground truth",
    "observations",
    "latent means",
    "posterior KL",
    "reconstructions",
  ]
  different = 1 - np.eye(4)
  np.testing.assert_array_equal(levels["ground truth"][0], [0, 1, 2, 3])
  np.testing.assert_allclose(levels["observations"], different * 8 / 128, atol=1e-6)
  np.testing.assert_allclose(levels["reconstructions"], levels["observations"])
  np.testing.assert_allclose(levels["latent means"], different * 8**0.5, atol=1e-6)
  np.testing.assert_allclose(levels["posterior KL"], different * 8 / 2, atol=1e-6)


def test_levels_of_an_export(exported):
  model = ExportedModel(exported[0])
  levels = level_matrices(tiny_data(), MSE(), model, 1, num_traversals=6, rng=3)
  expected = distance_matrix(tiny_data(), MSE(), 1, num_traversals=6, rng=3)
  np.testing.assert_allclose(levels["observations"], expected, atol=1e-6)
  for matrix in levels.values():
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-4, atol=1e-6)
    assert not np.diag(matrix).any()


def test_codes_alone():
  model = Identity()
  model.has_decoder = False
  model.encode_distribution = lambda images: (images.reshape(len(images), -1), None)
  levels = level_matrices(tiny_data(), MSE(), model, 0, num_traversals=2)
  assert list(levels) == ["ground truth", "observations", "latent means"]
