import numpy as np
import pytest
from scipy import stats

from disentangle_tf.data import FactorSpace


@pytest.fixture
def space():
  return FactorSpace(("shape", "scale", "x"), (3, 6, 32))


def test_index_and_factors_are_inverse(space):
  index = np.arange(space.num_points)
  np.testing.assert_array_equal(space.to_index(space.to_factors(index)), index)


def test_last_factor_is_fastest(space):
  np.testing.assert_array_equal(space.to_factors(33), [0, 1, 1])
  np.testing.assert_array_equal(
    space.to_factors([0, 31, 32]), [[0, 0, 0], [0, 0, 31], [0, 1, 0]]
  )


def test_traversal_changes_one_factor_only(space):
  points = space.traversal((1, 2, 3), 1)
  np.testing.assert_array_equal(points[:, 1], np.arange(6))
  np.testing.assert_array_equal(points[:, [0, 2]], [[1, 3]] * 6)


def test_draws_are_uniform_and_repeatable(space):
  points = space.draw(20_000, np.random.default_rng(0))
  for column, size in zip(points.T, space.sizes, strict=True):
    assert stats.chisquare(np.bincount(column, minlength=size)).pvalue > 1e-3
  np.testing.assert_array_equal(points, space.draw(20_000, np.random.default_rng(0)))


def test_out_of_range_factors_are_refused(space):
  with pytest.raises(ValueError):
    space.to_index([3, 0, 0])


@pytest.mark.parametrize("sizes", [(3,), (3, 0)])
def test_sizes_that_make_no_grid_are_refused(sizes):
  with pytest.raises(ValueError):
    FactorSpace(("a", "b"), sizes)
