import numpy as np
import pytest
from scipy import stats
from shared_checks import tiny_data

from disentangle_tf.data import FactorSpace, FactorTable, PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.losses import MSE
from disentangle_tf.perceived import agreement, check_traversable, distance_matrix
from disentangle_tf.perceived.traversals import ExistingTraversals, draw_traversals

# Along a: (0, 2, 4) at b = 0, and 1 alone at b = 1.
SPACE = PartialFactorSpace("ab", (5, 2), [[0, 0], [2, 0], [4, 0], [1, 1]])


def rng():
  return np.random.default_rng(0)


def test_only_existing_pairs_are_drawn_and_evenly():
  traversals = ExistingTraversals(SPACE, 0)
  chance = rng()
  points = traversals.draw_starts(9_000, chance)
  others = traversals.draw_others(points, chance)
  assert (points[:, 1] == 0).all() and (others[:, 1] == 0).all()
  assert (points[:, 0] != others[:, 0]).all()
  pairs = np.unique(points[:, 0] * 5 + others[:, 0], return_counts=True)
  assert pairs[0].tolist() == [2, 4, 10, 14, 20, 22]
  assert stats.chisquare(pairs[1]).pvalue > 1e-3
  walked, values = traversals.walk([2, 0])
  assert values.tolist() == [0, 2, 4] and (walked[:, 1] == 0).all()


def test_a_factor_that_never_changes_alone():
  with pytest.raises(UserError, match="no two images differ in b alone"):
    ExistingTraversals(SPACE, 1)


def test_a_factor_of_one_value_stays():
  traversals = ExistingTraversals(PartialFactorSpace("ab", (1, 3), [[0, 0], [0, 2]]), 0)
  points = traversals.draw_starts(10, rng())
  np.testing.assert_array_equal(traversals.draw_others(points, rng()), points)


def test_of_a_single_factor():
  traversals = ExistingTraversals(PartialFactorSpace("a", (4,), [[0], [1], [3]]), 0)
  points = traversals.draw_starts(50, rng())
  assert (traversals.draw_others(points, rng()) != points).all()


def test_a_whole_grid_is_drawn_as_before():
  space = FactorSpace("ab", (3, 4))
  points = ExistingTraversals(space, 1).draw_starts(20, rng())
  np.testing.assert_array_equal(points, space.draw(20, rng()))


def test_distances_of_a_set_with_holes_are_those_of_the_whole_one():
  whole = tiny_data(grid_spacing=1)  # squares overlap: distances grow with the steps
  points = whole.factors.to_factors(np.arange(len(whole)))
  points = points[(points[:, 0] != 2) | (points[:, 1] == 0)]
  points = points[(points[:, 0] != 3) | (points[:, 1] == 1)]  # 2 and 3 never meet
  some = FactorTable(whole.observe(points).numpy(), points, names=whole.factors.names)
  expected, found = (
    distance_matrix(data, MSE(), 0, num_traversals=400) for data in (whole, some)
  )
  holes = np.zeros((4, 4), bool)
  holes[2, 3] = holes[3, 2] = True
  np.testing.assert_array_equal(np.isnan(found), holes)
  np.testing.assert_allclose(found[~holes], expected[~holes], atol=1e-6)
  correlation = agreement(some, MSE(), num_traversals=64)["factors"]["x_R"]
  assert correlation["rank"] > 0.9 and not correlation["constant"]


def test_a_traversal_of_every_factor_through_one_point():
  space = FactorSpace("ab", (3, 2))
  first, second = draw_traversals(space, rng())
  assert first[:, 0].tolist() == [0, 1, 2] and second[:, 1].tolist() == [0, 1]
  (point,) = space.draw(1, rng())
  assert (first[:, 1] == point[1]).all() and (second[:, 0] == point[0]).all()


def test_traversals_of_what_exists():
  space = PartialFactorSpace("ab", (5, 2), [[0, 0], [2, 0], [4, 0], [1, 1], [4, 1]])
  first, second = draw_traversals(space, rng())
  assert first.tolist() in ([[0, 0], [2, 0], [4, 0]], [[1, 1], [4, 1]])
  assert second.tolist() == [[4, 0], [4, 1]]


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
