import numpy as np
import pytest

from disentangle_tf.data import PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.evaluation.factor_bins import bin_factors


def test_values_are_numbered_in_their_order():
  space, numbers, remarks = bin_factors(
    [np.array([30, 10, 20, 10]), np.array([-0.5, 0.5, 0.5, -0.5])], ("a", "b"), 20
  )
  assert numbers.tolist() == [[2, 0], [0, 1], [1, 1], [0, 0]]
  assert (space.names, space.sizes, remarks) == (("a", "b"), (3, 2), [])
  assert isinstance(space, PartialFactorSpace) and space.num_points == 4


def test_all_combinations_are_a_whole_grid():
  space, _, _ = bin_factors([np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])], "ab", 20)
  assert space.is_whole and space.sizes == (2, 2)


def test_a_continuous_factor_is_cut_into_bins_of_equal_width():
  column = np.array([0.0, 0.1, 0.3, 0.55, 0.9, 1.0])
  space, numbers, remarks = bin_factors([column], ("width",), 4)
  assert numbers[:, 0].tolist() == [0, 0, 1, 2, 3, 3]
  assert space.sizes == (4,)
  assert remarks == ["width is continuous (6 values), scored in 4 bins"]


def test_whole_numbers_stay_however_many_and_whatever_their_type():
  for kind in (np.int64, np.float64):
    space, numbers, remarks = bin_factors([np.arange(30).astype(kind)], ("a",), 4)
    assert space.sizes == (30,) and remarks == []
    np.testing.assert_array_equal(numbers[:, 0], np.arange(30))


def test_bins_must_be_a_number():
  with pytest.raises(UserError, match="evaluate.factor_bins is 0"):
    bin_factors([np.arange(3)], ("a",), 0)
