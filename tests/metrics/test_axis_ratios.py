import numpy as np
import pytest

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.metrics import axis_ratios

RNG = np.random.default_rng(0)
SPACE = FactorSpace(("a", "b", "c"), (5, 12, 20))
TURN = np.linalg.qr(RNG.normal(size=(4, 4)))[0][:3]


def test_perfect_and_random_codes():
  scores = axis_ratios(SPACE, lambda f: f / SPACE.sizes)
  perfect = {"axis_ratio": 1.0, "linear_ratio": 1.0, "axis_alignment": 1.0}
  assert scores == pytest.approx(perfect)
  noise = RNG.normal(size=(SPACE.num_points, 6))
  scores = axis_ratios(SPACE, lambda f: noise[SPACE.to_index(f)])
  assert scores["axis_ratio"] < 0.25
  assert scores["axis_ratio"] < scores["linear_ratio"] < 0.5


def test_turned_codes_are_straight_but_not_aligned():
  scores = axis_ratios(SPACE, lambda f: f @ TURN)
  # Each factor moves along one row of the turn.
  shares = (TURN**2).max(axis=1)
  expected = np.prod((shares - 1 / 4) / (3 / 4)) ** (1 / 3)
  assert scores["linear_ratio"] == pytest.approx(1)
  assert scores["axis_ratio"] == pytest.approx(expected)
  assert scores["axis_alignment"] == pytest.approx(expected)


def test_a_circle_has_no_direction():
  space = FactorSpace(("angle",), (40,))

  def circle(factors):
    angles = factors[:, 0] * np.pi / 20
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)

  assert axis_ratios(space, circle)["linear_ratio"] == pytest.approx(0, abs=1e-6)


def test_one_latent_and_a_factor_that_moves_nothing():
  space = FactorSpace(("a", "b"), (3, 4))
  alone = axis_ratios(space, lambda f: f[:, :1] + 0.1 * f[:, 1:])
  assert list(alone.values()) == pytest.approx([1.0] * 3)
  assert axis_ratios(space, lambda f: f * [1.0, 0.0])["axis_ratio"] == pytest.approx(0)
