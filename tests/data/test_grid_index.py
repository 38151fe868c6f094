import numpy as np
import pytest
import tensorflow as tf
from sampler_checks import PARTIAL, SPACE

from disentangle_tf.data import FactorSpace, PartialFactorSpace
from disentangle_tf.data.grid_index import grid_index


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
