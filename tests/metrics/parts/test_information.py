import numpy as np
import pytest
from metric_checks import draw_factors, golden_case
from scipy import special
from sklearn import feature_selection
from sklearn import metrics as sk_metrics

from disentangle_tf.metrics.parts import information

RNG = np.random.default_rng(0)


def _bins(column):
  """Bin numbers as in disentanglement_lib."""
  return np.digitize(column, np.histogram(column, 20)[1][:-1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_the_same_as_scikit_learn(dtype):
  codes = (RNG.normal(size=(500, 3)) * 10).astype(dtype)
  factors = draw_factors(500)
  expected = [
    [sk_metrics.mutual_info_score(f, _bins(z)) for f in factors.T] for z in codes.T
  ]
  found = information.mutual_information_matrix(codes, factors, num_bins=20)
  np.testing.assert_allclose(found, expected, atol=1e-12)
  between = [
    [sk_metrics.mutual_info_score(_bins(y), _bins(z)) for y in codes.T] for z in codes.T
  ]
  found = information.latent_information_matrix(codes, num_bins=20)
  np.testing.assert_allclose(found, between, atol=1e-12)
  entropies = [sk_metrics.mutual_info_score(f, f) for f in factors.T]
  np.testing.assert_allclose(information.entropies(factors), entropies, atol=1e-12)


def test_independence_is_exactly_zero():
  # Every combination once; and a constant, whose mean is off by rounding.
  grid = np.stack(np.meshgrid(range(7), range(9)), axis=-1).reshape(-1, 2)
  codes = np.concatenate([grid * 1.0, np.full((63, 1), 0.3)], axis=1)
  matrix = information.mutual_information_matrix(codes, grid, num_bins=20)
  np.testing.assert_allclose(np.diag(matrix), np.log([9, 7])[::-1])
  assert matrix[0, 1] == matrix[1, 0] == 0
  assert not matrix[2].any()


def test_neighbours_as_scikit_learn():
  factors = draw_factors(1000)
  codes = factors + RNG.normal(size=factors.shape)
  expected = [
    feature_selection.mutual_info_classif(codes, f, discrete_features=False)
    for f in factors.T
  ]
  found = information.neighbour_information_matrix(codes, factors, num_neighbours=3)
  np.testing.assert_allclose(found, np.transpose(expected), atol=1e-6)


@pytest.mark.parametrize("num_neighbours", [1, 3, 10])
def test_neighbours_as_defined(num_neighbours):
  # scikit-learn's distances in small classes round, which puts its counts off by one.
  classes = draw_factors(200, sizes=(30,))[:, 0]
  values = classes + RNG.normal(size=200)
  found = information.neighbour_information_matrix(
    values[:, None], classes[:, None], num_neighbours=num_neighbours
  )
  assert found.item() == pytest.approx(_ross(values, classes, num_neighbours))


def _ross(values, classes, num_neighbours):
  sizes = np.bincount(classes)[classes]
  values, classes, sizes = values[sizes > 1], classes[sizes > 1], sizes[sizes > 1]
  near = np.minimum(num_neighbours, sizes - 1)
  distances = np.abs(values[:, None] - values)
  same = np.sort(np.where(classes[:, None] == classes, distances, np.inf), axis=1)
  radius = np.take_along_axis(same, near[:, None], axis=1)  # the first is the point
  within = (distances < radius).sum(axis=1)
  psi = special.digamma
  return psi(len(values)) + np.mean(psi(near) - psi(sizes) - psi(within))


def test_neighbours_that_coincide():
  factors = draw_factors(2000)
  found = information.neighbour_information_matrix(
    factors * 1.0, factors, num_neighbours=10
  )
  entropies = information.entropies(factors)
  np.testing.assert_allclose(np.diag(found), entropies, atol=2e-3)
  np.testing.assert_allclose(found - np.diag(np.diag(found)), 0, atol=0.01)


def test_neighbours_of_classes_that_are_small():
  alone = np.arange(5)[:, None]
  for classes in (alone, np.array([[0], [0], [1], [2], [2]])):
    matrix = information.neighbour_information_matrix(
      RNG.normal(size=(5, 2)), classes, num_neighbours=10
    )
    assert np.isfinite(matrix).all()


def test_two_largest():
  first, second = information.two_largest(
    np.array([[1.0, 5.0], [3.0, 4.0], [2.0, 6.0]])
  )
  assert (first.tolist(), second.tolist()) == ([3, 6], [2, 5])
  first, second = information.two_largest(np.array([[1.0, 5.0]]))
  assert (first.tolist(), second.tolist()) == ([1, 5], [0, 0])


@pytest.mark.parametrize("case", "12345")
def test_golden(case):
  metrics, arrays = golden_case(case)
  expected = metrics["intermediate"]["scores"]
  matrix = information.mutual_information_matrix(
    arrays["codes_train"], arrays["factors_train"], num_bins=20
  )
  np.testing.assert_allclose(matrix, expected["mutual_information_matrix"], atol=1e-9)
  entropies = information.entropies(arrays["factors_train"])
  np.testing.assert_allclose(entropies, expected["factor_entropy"], atol=1e-9)
