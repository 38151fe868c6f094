import numpy as np
import pytest
import tensorflow as tf
from sampler_checks import PARTIAL, SPACE
from scipy import stats

from disentangle_tf.data import FactorSpace, PartialFactorSpace
from disentangle_tf.data.factor_space import covered_space, grid_index
from disentangle_tf.errors import UserError


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


POINTS = np.array([[1, 1], [0, 0], [2, 1], [1, 0]])  # four of six, not sorted


@pytest.fixture
def partial_factor_space_space():
  return PartialFactorSpace(("shape", "x"), (3, 2), POINTS)


def test_existing_points_are_counted_in_the_order_of_the_grid(
  partial_factor_space_space,
):
  assert (
    partial_factor_space_space.num_points == 4
    and not partial_factor_space_space.is_whole
  )
  expected = [[0, 0], [1, 0], [1, 1], [2, 1]]
  np.testing.assert_array_equal(
    partial_factor_space_space.to_factors(np.arange(4)), expected
  )
  np.testing.assert_array_equal(
    partial_factor_space_space.to_index(expected), np.arange(4)
  )
  assert partial_factor_space_space.to_index([2, 1]) == 3


@pytest.mark.parametrize("point", [[0, 1], [2, 0]])
def test_what_does_not_exist_has_no_index(partial_factor_space_space, point):
  with pytest.raises(ValueError, match="does not exist"):
    partial_factor_space_space.to_index([[0, 0], point])


def test_traversals_pass_over_the_holes(partial_factor_space_space):
  np.testing.assert_array_equal(
    partial_factor_space_space.traversal((1, 0), 0), [[0, 0], [1, 0]]
  )
  np.testing.assert_array_equal(
    partial_factor_space_space.traversal((1, 0), 1), [[1, 0], [1, 1]]
  )
  np.testing.assert_array_equal(
    partial_factor_space_space.traversal((2, 1), 1), [[2, 1]]
  )


def test_draws_are_uniform_over_what_exists(partial_factor_space_space):
  points = partial_factor_space_space.draw(20_000, np.random.default_rng(0))
  counts = np.bincount(partial_factor_space_space.to_index(points), minlength=4)
  assert stats.chisquare(counts).pvalue > 1e-3


def test_every_point_is_listed_once():
  with pytest.raises(UserError, match="more than once"):
    PartialFactorSpace("ab", (3, 2), [[0, 0], [0, 0]])


def test_points_that_cover_the_grid_make_a_whole_space():
  whole = [[a, b] for a in range(3) for b in range(2)]
  covered = covered_space("ab", (3, 2), [*whole, [0, 0]])
  assert type(covered) is FactorSpace and covered.is_whole
  partial = covered_space("ab", (3, 2), [*whole[1:], [2, 1]])
  assert isinstance(partial, PartialFactorSpace)
  np.testing.assert_array_equal(partial.points, whole[1:])


def test_the_last_factor_is_fastest():
  space = FactorSpace("abc", (3, 6, 32))
  index = grid_index(space, [[0, 0, 31], [0, 1, 0], [2, 5, 31]])
  assert index.dtype == tf.int64
  assert index.numpy().tolist() == [31, 32, 3 * 6 * 32 - 1]


@pytest.mark.parametrize("space", [SPACE, PARTIAL, FactorSpace("a", (5,))])
def test_it_is_the_index_of_the_space(space):
  points = space.to_factors(np.arange(space.num_points))
  for function in (grid_index, tf.function(grid_index)):
    index = function(space, tf.constant(points))
    np.testing.assert_array_equal(index, np.arange(space.num_points))


def test_a_point_that_does_not_exist_gets_the_next_that_does():
  space = PartialFactorSpace("ab", (3, 3), [[0, 1], [1, 1], [2, 0]])
  index = grid_index(space, [[0, 0], [0, 2], [1, 2], [2, 2]])
  assert index.numpy().tolist() == [0, 1, 2, 2]  # of the last, itself


def test_large_spaces_are_told_apart():
  space = FactorSpace("ab", (2**31, 2**20))
  assert int(grid_index(space, [[2**31 - 1, 2**20 - 1]])[0]) == 2**51 - 1
