import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.data import FactorTable
from disentangle_tf.errors import UserError
from disentangle_tf.perceived import check_traversable

IMAGES = np.zeros((3, 4, 4, 1), np.float32)


def test_whole_grids_and_those_with_holes():
  check_traversable(tiny_data())
  check_traversable(FactorTable(IMAGES, np.array([[0, 0], [1, 0], [1, 1]])))


def test_a_factor_that_never_changes_alone_is_named():
  data = FactorTable(IMAGES, np.array([[0, 0], [1, 1], [0, 1]]), names=["a", "b"])
  check_traversable(data)
  data = FactorTable(IMAGES, np.array([[0, 0], [1, 1], [0, 2]]), names=["a", "b"])
  with pytest.raises(UserError, match="no two images differ in a alone"):
    check_traversable(data)


def test_numbers_of_images_are_no_factors():
  data = tiny_data()
  data.has_factors = False
  with pytest.raises(UserError, match="xysquares has no ground-truth factors"):
    check_traversable(data)
