import numpy as np
import pytest

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.metrics import flatness

RNG = np.random.default_rng(0)
SPACE = FactorSpace(("a", "b", "c"), (5, 12, 20))
TURN = np.linalg.qr(RNG.normal(size=(3, 3)))[0]


def test_perfect_and_random_codes():
  scores = flatness(SPACE, lambda f: f / SPACE.sizes)
  assert scores == pytest.approx({"flatness": 1, "flatness_l1": 1, "flatness_l2": 1})
  noise = RNG.normal(size=(SPACE.num_points, 6))
  assert flatness(SPACE, lambda f: noise[SPACE.to_index(f)])["flatness"] < 0.35


def test_turned_codes_are_straight_but_not_along_an_axis():
  scores = flatness(SPACE, lambda f: f @ TURN)
  assert scores["flatness_l1"] == pytest.approx(1)
  assert scores["flatness_l2"] == pytest.approx(1)
  # An L1 step is longer by the sum of a row of the rotation.
  expected = np.mean(1 / np.abs(TURN).sum(axis=1))
  assert scores["flatness"] == pytest.approx(expected)


def test_a_circle_is_as_wide_as_two_radii():
  space = FactorSpace(("angle",), (400,))

  def circle(factors):
    angles = factors[:, 0] * np.pi / 200
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)

  scores = flatness(space, circle, num_traversals=1)
  assert scores["flatness_l2"] == pytest.approx(2 / (2 * np.pi), abs=1e-3)


def test_a_way_that_turns_back():
  space = FactorSpace(("a",), (5,))
  places = np.array([[0.0], [2.0], [1.0], [3.0], [4.0]])
  # Steps 2, 1, 2, 1 and 4 from the last to the first, which is the longest.
  scores = flatness(space, lambda f: places[f[:, 0]])
  assert scores["flatness_l2"] == pytest.approx(4 / 6)


def test_where_a_factor_begins_does_not_matter():
  space = FactorSpace(("a",), (5,))
  places = np.roll(np.arange(5.0), 2)[:, None]
  assert flatness(space, lambda f: places[f[:, 0]])["flatness"] == pytest.approx(1)


def test_a_factor_that_moves_nothing():
  space = FactorSpace(("a", "b"), (3, 4))
  assert flatness(space, lambda f: f * [1.0, 0.0])["flatness"] == pytest.approx(0.5)
