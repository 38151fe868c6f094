import numpy as np
import pytest
from shared_checks import tiny_data
from tensorflow_probability import distributions as tfd

from disentangle_tf.errors import UserError
from disentangle_tf.export import ExportedModel
from disentangle_tf.losses import MSE
from disentangle_tf.perceived import (
  agreement,
  distance_matrix,
  level_agreement,
  level_distances,
)
from disentangle_tf.perceived.levels import pairwise_kl, symmetric_kl


def test_kl_is_tfps_one_way_and_both():
  rng = np.random.default_rng(0)
  means, log_variances = rng.normal(size=(2, 4, 3))
  found = symmetric_kl(means, log_variances)
  one_way = pairwise_kl(means, log_variances)
  stds = np.exp(0.5 * log_variances)
  each = [tfd.Normal(*pair) for pair in zip(means, stds, strict=True)]
  for i, first in enumerate(each):
    for j, second in enumerate(each):
      there, back = first.kl_divergence(second), second.kl_divergence(first)
      assert found[i, j] == pytest.approx(0.5 * np.sum(there + back), abs=1e-9)
      assert one_way[i, j] == pytest.approx(np.sum(there), abs=1e-9)
  assert np.abs(one_way - one_way.T).max() > 1


class Identity:
  """Codes that are the pixels of the red channel, and a decoder that is exact."""

  can_reconstruct = True

  def encode(self, images):
    codes = images[..., 0].reshape(len(images), -1)
    return codes, np.zeros_like(codes)

  def reconstruct(self, images):
    return images


def _matrices(data, model, factor, **options):
  """{level: mean matrix} of one factor."""
  name = data.factors.names[factor]
  found = level_distances(data, MSE(), model, factors=[name], **options)
  return {level: stack.mean(axis=0) for level, stack in found[name].items()}


def test_levels_of_a_perfect_model():
  data = tiny_data()
  levels = _matrices(data, Identity(), 0, num_traversals=5)
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
  levels = _matrices(tiny_data(), model, 1, num_traversals=6, rng=3)
  expected = distance_matrix(tiny_data(), MSE(), 1, num_traversals=6, rng=3)
  np.testing.assert_allclose(levels["observations"], expected, atol=1e-6)
  for matrix in levels.values():
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(np.diag(matrix), 0, atol=1e-6)


def test_codes_alone():
  model = Identity()
  model.can_reconstruct = False
  model.encode = lambda images: (images.reshape(len(images), -1), None)
  levels = _matrices(tiny_data(), model, 0, num_traversals=2)
  assert list(levels) == ["ground truth", "observations", "latent means"]


def test_agreement_of_levels():
  found = level_distances(tiny_data(), MSE(), Identity(), num_traversals=4, rng=2)
  levels = level_agreement(found)
  assert list(levels) == list(tiny_data().factors.names)
  (steps,) = found["x_R"]["ground truth"][:1]
  expected = np.corrcoef(steps.ravel(), 1 - np.eye(4).ravel())[0, 1]
  for level in ("observations", "latent means", "posterior KL", "reconstructions"):
    assert levels["x_R"][level]["linear"] == pytest.approx(expected, abs=1e-6)
  perceived = agreement(tiny_data(), MSE(), num_traversals=4)["factors"]["x_R"]
  assert levels["x_R"]["observations"]["rank"] == pytest.approx(perceived["rank"])


def test_an_unknown_factor_is_named():
  with pytest.raises(UserError, match=r"has no factor 'colour' \(but x_R, y_R"):
    level_distances(tiny_data(), MSE(), Identity(), factors=["colour"])


class Spreading:
  """A model whose posterior variance grows along the first factor."""

  can_reconstruct = False

  def encode(self, images):
    columns = images[..., 0].max(axis=1).argmax(axis=1)  # where the red square begins
    spread = columns[:, None].astype(np.float64)
    return np.zeros_like(spread), spread


def test_the_kl_is_symmetric_or_goes_from_row_to_column():
  """0.5 (v_i/v_j - 1 - log(v_i/v_j)) between N(0, v_i) and N(0, v_j)."""
  log_variances = np.array([0.0, 2.0, 4.0, 6.0])
  apart = log_variances[:, None] - log_variances
  one_way = 0.5 * (np.exp(apart) - 1 - apart)
  for symmetric in (False, True):
    found = _matrices(
      tiny_data(), Spreading(), 0, num_traversals=2, symmetric=symmetric
    )["posterior KL"]
    expected = 0.5 * (one_way + one_way.T) if symmetric else one_way
    np.testing.assert_allclose(found, expected, rtol=1e-6)
