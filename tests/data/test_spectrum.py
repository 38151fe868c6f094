import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.data import FactorSubset, FactorTable, singular_values
from disentangle_tf.errors import UserError
from disentangle_tf.priors import AnisotropicNormal


def of_all(data):
  """Compute them by definition, from all images."""
  images = data.observe(data.factors.to_factors(np.arange(len(data)))).numpy()
  mean, std = data.standardisation()
  rows = ((images - np.array(mean)) / std).reshape(len(images), -1)
  return np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False)


@pytest.mark.parametrize("options", [{}, {"grid_spacing": 1}, {"num_squares": 1}])
def test_of_a_small_set_those_of_all_images(options):
  data = tiny_data(**options)
  values = singular_values(data, 5)
  assert all(isinstance(value, float) for value in values)
  np.testing.assert_allclose(values, of_all(data)[:5], rtol=1e-6)
  assert AnisotropicNormal(values).scales == values


def test_of_a_large_set_nearly_those_of_all_images():
  data = tiny_data(grid_spacing=1, grey=True)
  some = np.array(singular_values(data, 4, num_images=200, seed=1))
  every = of_all(data)[:4]
  np.testing.assert_allclose(some / some.sum(), every / every.sum(), rtol=0.1)
  assert singular_values(data, 4, num_images=200, seed=1) == some.tolist()
  assert singular_values(data, 4, num_images=200, seed=2) != some.tolist()


def test_a_point_with_many_images_is_seen_in_many_ways():
  data = FactorSubset(tiny_data(), ("x_R",))  # four points, but 256 images
  assert len(singular_values(data, 6)) == 6


def test_mistakes_are_reported():
  with pytest.raises(UserError, match="count is 99.*vary in 30 directions only"):
    singular_values(tiny_data(), 99)  # two squares with 16 positions each
  with pytest.raises(UserError, match="count is 0"):
    singular_values(tiny_data(), 0)
  black = FactorTable(np.zeros((3, 4, 4)), [0, 1, 2])
  with pytest.raises(UserError, match="table cannot be standardised"):
    singular_values(black, 2)
