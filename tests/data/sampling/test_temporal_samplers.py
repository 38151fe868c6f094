import numpy as np
import pytest
from sampler_checks import PARTIAL, SPACE, run_sampler_test
from scipy import stats

from disentangle_tf.data import FactorSpace
from disentangle_tf.data.sampling.pair_samplers import draw_pairs
from disentangle_tf.data.sampling.temporal_samplers import draw_temporal_pairs
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")


def drawn(space, count=60_000, **options):
  points = draw_temporal_pairs(space, count, SEED, **options)
  return [each.numpy() for each in points]


def step_law(size, rate):
  """Return (law of a step, law of a forced step), [values, targets] each."""
  values = np.arange(size)
  law = np.exp(-rate * np.abs(values[:, None] - values))
  law /= law.sum(axis=1, keepdims=True)
  moving = law * (1 - np.eye(size))
  return law, moving / moving.sum(axis=1, keepdims=True)


def assert_law(space, expected, **options):
  """`expected`: [points, points] probabilities of the successor given the point."""
  first, second = (space.to_index(points) for points in drawn(space, **options))
  counts = np.zeros_like(expected)
  np.add.at(counts, (first, second), 1)
  expected = expected * counts.sum(axis=1, keepdims=True)
  possible = expected > 0
  assert (counts[~possible] == 0).all()
  statistic = ((counts - expected)[possible] ** 2 / expected[possible]).sum()
  freedom = possible.sum() - len(expected)
  assert stats.chi2.sf(statistic, freedom) > 1e-3


def test_uniform_transitions_are_the_pairs_of_the_paper():
  first, second = drawn(SPACE, 100)
  expected = draw_pairs(SPACE, 100, SEED)
  np.testing.assert_array_equal([first, second], expected)


@pytest.mark.parametrize("rate", [0, 0.7, 3.0])
def test_a_lone_factor_always_moves_by_the_law(rate):
  _, moving = step_law(6, rate)
  assert_law(FactorSpace("a", (6,)), moving, transition="laplace", rate=rate)


def test_two_factors_move_independently_unless_neither_does():
  space, rate = FactorSpace("ab", (3, 4)), 1.0
  (law_a, moving_a), (law_b, moving_b) = step_law(3, rate), step_law(4, rate)
  free = np.kron(law_a, law_b)
  neither = np.diag(free)[:, None]
  forced = (np.kron(moving_a, np.eye(4)) + np.kron(np.eye(3), moving_b)) / 2
  expected = free - np.diag(np.diag(free)) + neither * forced
  np.testing.assert_allclose(expected.sum(axis=1), 1)
  assert_law(space, expected, transition="laplace", rate=rate)


def test_rates_per_logarithm_of_the_size():
  for size in (3, 6):
    _, moving = step_law(size, 2.0 / np.log(size))
    options = {"transition": "laplace", "rate": 2.0, "per_log_size": True}
    assert_law(FactorSpace("a", (size,)), moving, **options)


def test_at_a_high_rate_one_factor_moves_by_one():
  first, second = drawn(SPACE, 6_000, transition="laplace", rate=2_000.0)
  np.testing.assert_array_equal(np.abs(second - first).sum(axis=1), 1)
  which = (first != second).sum(axis=0)
  assert which[2] == 0
  assert stats.chisquare(which[[0, 1, 3]]).pvalue > 1e-3


def test_categorical_factors_stay():
  first, second = drawn(SPACE, 2_000, transition="laplace", categorical=("a", 3))
  np.testing.assert_array_equal(first[:, [0, 2, 3]], second[:, [0, 2, 3]])
  assert (first[:, 1] != second[:, 1]).all()


def test_steps_follow_from_the_seed():
  options = {"transition": "laplace", "categorical": ("a",)}
  run_sampler_test(draw_temporal_pairs, SPACE, **options)


def test_steps_in_a_partial_grid_move():
  first, second = drawn(PARTIAL, 3_000, transition="laplace")
  assert (first != second).any(axis=1).all()
  PARTIAL.to_index(second)


def test_mistakes_are_reported():
  with pytest.raises(UserError, match="'uniform' or 'laplace'"):
    drawn(SPACE, 2, transition="normal")
  with pytest.raises(UserError, match="rate is -1"):
    drawn(SPACE, 2, transition="laplace", rate=-1)
  with pytest.raises(UserError, match="no factor 'z'"):
    drawn(SPACE, 2, transition="laplace", categorical=("z",))
  with pytest.raises(UserError, match="all factors that can move are categorical"):
    drawn(SPACE, 2, transition="laplace", categorical=("a", "b", "d"))
