import numpy as np
import pytest
from scipy import stats

from disentangle_tf.data import FactorSpace, PartialFactorSpace
from disentangle_tf.data.partial_factor_space import covered_space
from disentangle_tf.errors import UserError

POINTS = np.array([[1, 1], [0, 0], [2, 1], [1, 0]])  # four of six, not sorted


@pytest.fixture
def space():
  return PartialFactorSpace(("shape", "x"), (3, 2), POINTS)


def test_existing_points_are_counted_in_the_order_of_the_grid(space):
  assert space.num_points == 4 and not space.is_whole
  expected = [[0, 0], [1, 0], [1, 1], [2, 1]]
  np.testing.assert_array_equal(space.to_factors(np.arange(4)), expected)
  np.testing.assert_array_equal(space.to_index(expected), np.arange(4))
  assert space.to_index([2, 1]) == 3


@pytest.mark.parametrize("point", [[0, 1], [2, 0]])
def test_what_does_not_exist_has_no_index(space, point):
  with pytest.raises(ValueError, match="does not exist"):
    space.to_index([[0, 0], point])


def test_traversals_pass_over_the_holes(space):
  np.testing.assert_array_equal(space.traversal((1, 0), 0), [[0, 0], [1, 0]])
  np.testing.assert_array_equal(space.traversal((1, 0), 1), [[1, 0], [1, 1]])
  np.testing.assert_array_equal(space.traversal((2, 1), 1), [[2, 1]])


def test_draws_are_uniform_over_what_exists(space):
  points = space.draw(20_000, np.random.default_rng(0))
  counts = np.bincount(space.to_index(points), minlength=4)
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
