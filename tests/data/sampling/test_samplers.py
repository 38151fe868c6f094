import math

import numpy as np
import pytest
import tensorflow as tf
from sampler_checks import PARTIAL, SPACE, run_sampler_test
from scipy import stats

from disentangle_tf.data import (
  Batches,
  FactorSpace,
  PartialFactorSpace,
  Pinwheel,
  draw_single,
  draw_whole_set,
)
from disentangle_tf.data.sampling.samplers import (
  Completion,
  draw_correlated,
  draw_traversals,
  draw_with_fixed_factor,
)
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_words, stream_seed


def words(completion, count):
  return random_words([count, completion.num_words], stream_seed(0, "test"))


def test_the_space_of_what_is_given_keeps_its_order():
  completion = Completion(SPACE, [3, 0])
  assert completion.given.names == ("d", "a") and completion.given.sizes == (7, 3)
  assert completion.num_words == 2  # for b and c


def test_a_word_decides_one_of_the_other_factors():
  completion = Completion(SPACE, [3, 0])  # d and a; b has 40 values, c has one
  points = completion.draw([[6, 2], [0, 1]], np.array([[39, 5], [41, 6]], np.uint32))
  np.testing.assert_array_equal(points, [[2, 39, 0, 6], [1, 1, 0, 0]])


def test_the_others_are_uniform():
  completion = Completion(SPACE, [0])
  count = 20_000
  points = completion.draw(np.ones((count, 1)), words(completion, count)).numpy()
  assert (points[:, 0] == 1).all()
  counts = np.bincount(points[:, 1] * 7 + points[:, 3], minlength=280)
  assert stats.chisquare(counts).pvalue > 1e-3


def test_one_word_chooses_among_the_points_that_exist():
  space = PartialFactorSpace("ab", (4, 3), [[0, 1], [0, 2], [2, 0], [3, 0], [3, 2]])
  completion = Completion(space, [0])
  assert completion.num_words == 1
  points = completion.draw([[0], [0], [2], [3]], np.array([[0], [3], [9], [5]]))
  np.testing.assert_array_equal(points, [[0, 1], [0, 2], [2, 0], [3, 2]])
  assert isinstance(completion.given, PartialFactorSpace)  # a is never 1
  np.testing.assert_array_equal(completion.given.points, [[0], [2], [3]])


def test_given_values_that_all_occur_make_a_whole_space():
  space = PartialFactorSpace("ab", (2, 2), [[0, 1], [1, 0], [1, 1]])
  assert Completion(space, [1]).given.is_whole


def test_points_of_a_partial_space_are_uniform():
  completion = Completion(PARTIAL, [3])
  count = 20_000
  points = completion.draw(np.full((count, 1), 4), words(completion, count)).numpy()
  counts = np.bincount(PARTIAL.to_index(points), minlength=PARTIAL.num_points)
  having = PARTIAL.points[:, 3] == 4
  assert counts[~having].sum() == 0
  assert stats.chisquare(counts[having]).pvalue > 1e-3


SEED = stream_seed(0, "test")


def test_single_draws_are_uniform_and_independent():
  space = FactorSpace("abc", (3, 40, 7))
  factors = draw_single(space, 50_000, SEED).numpy()
  for column, size in zip(factors.T, space.sizes, strict=True):
    assert stats.chisquare(np.bincount(column, minlength=size)).pvalue > 1e-3
  pairs = np.bincount(factors[:, 0] * 7 + factors[:, 2], minlength=21)
  assert stats.chisquare(pairs).pvalue > 1e-3


@pytest.mark.parametrize("space", [SPACE, PARTIAL])
def test_single_draws_follow_from_the_seed(space):
  run_sampler_test(draw_single, space)


@pytest.mark.parametrize("space", [FactorSpace("ab", (4, 8)), PARTIAL])
def test_the_whole_set_is_every_point_once(space):
  points = draw_whole_set(space, space.num_points, SEED).numpy()
  index = space.to_index(points)
  np.testing.assert_array_equal(np.sort(index), np.arange(space.num_points))
  assert (index != np.arange(space.num_points)).any()  # replicas get a mixture


def test_whole_sets_follow_from_the_seed():
  run_sampler_test(draw_whole_set, FactorSpace("ab", (4, 8)))


def test_drawn_one_by_one_a_batch_lacks_a_share_of_the_set():
  """(1 - 1/n)^n, about 1/e of the points."""
  data = Pinwheel()
  found = {
    draw: len(np.unique(Batches(data, batch_size=400, draw=draw).make(0), axis=0))
    for draw in (draw_single, draw_whole_set)
  }
  assert found[draw_whole_set] == 400
  assert found[draw_single] / 400 == pytest.approx(1 - (1 - 1 / 400) ** 400, abs=0.06)


def test_the_whole_set_must_fit_the_batch():
  with pytest.raises(UserError, match="all 32 points, the batch size is 8: set"):
    draw_whole_set(FactorSpace("ab", (4, 8)), 8, SEED)


def test_a_fixed_factor_is_shared_and_the_rest_uniform():
  factors = draw_with_fixed_factor(SPACE, 50_000, SEED, factor="b").numpy()
  assert len(np.unique(factors[:, 1])) == 1
  pairs = np.bincount(factors[:, 0] * 7 + factors[:, 3], minlength=21)
  assert stats.chisquare(pairs).pvalue > 1e-3


def test_the_fixed_factor_and_its_value_are_drawn_uniformly():
  space = FactorSpace("abc", (8, 9, 10))

  @tf.function
  def draw(step):
    return draw_with_fixed_factor(space, 16, stream_seed(0, "test", step))

  batches = np.stack([draw(step) for step in tf.range(250)])
  shared = (batches == batches[:, :1]).all(axis=1)
  assert (shared.sum(axis=1) == 1).all()
  assert stats.chisquare(shared.sum(axis=0)).pvalue > 1e-3
  values = batches[shared[:, 0], 0, 0]
  assert stats.chisquare(np.bincount(values, minlength=8)).pvalue > 1e-3


def test_points_that_share_a_value_are_uniform_over_those_that_exist():
  factors = draw_with_fixed_factor(PARTIAL, 20_000, SEED, factor=3).numpy()
  (value,) = np.unique(factors[:, 3])
  counts = np.bincount(PARTIAL.to_index(factors), minlength=PARTIAL.num_points)
  assert stats.chisquare(counts[PARTIAL.points[:, 3] == value]).pvalue > 1e-3


def test_a_value_that_never_occurs_is_never_shared():
  space = PartialFactorSpace("ab", (50, 2), [[7, 0], [7, 1], [31, 0]])
  for step in range(5):
    seed = stream_seed(0, "test", step)
    points = draw_with_fixed_factor(space, 8, seed, factor="a").numpy()
    assert points[0, 0] in (7, 31) and (points[:, 0] == points[0, 0]).all()
    space.to_index(points)


@pytest.mark.parametrize("space, factor", [(SPACE, None), (PARTIAL, "d")])
def test_fixed_factors_follow_from_the_seed(space, factor):
  run_sampler_test(draw_with_fixed_factor, space, factor=factor)


def test_traversals_are_whole():
  factors = draw_traversals(SPACE, 200, SEED, factor="d").numpy()
  for traversal in factors.reshape(200, 7, 4):
    np.testing.assert_array_equal(traversal, SPACE.traversal(traversal[0], 3))
  places = np.bincount(factors[::7, 0], minlength=3)
  assert stats.chisquare(places).pvalue > 1e-3
  run_sampler_test(draw_traversals, SPACE, factor="d")


def test_traversals_need_a_full_grid():
  with pytest.raises(UserError, match="full grid"):
    draw_traversals(PARTIAL, 2, SEED, factor=0)


@pytest.mark.parametrize("factor", ["e", 4, -1])
def test_unknown_factors_are_refused(factor):
  with pytest.raises(UserError, match="choose one of a, b, c, d"):
    draw_traversals(SPACE, 2, SEED, factor=factor)


def joint(space, factors, first, second):
  counts = np.zeros([space.sizes[first], space.sizes[second]])
  np.add.at(counts, (factors[:, first], factors[:, second]), 1)
  return counts


def law(sizes, sigma):
  u, v = (np.arange(size) / (size - 1) for size in sizes)
  weights = np.exp(-((u[:, None] - v) ** 2) / (2 * sigma**2))
  return weights / weights.sum()


def assert_counts(counts, probabilities):
  expected = counts.sum() * probabilities
  frequent = expected > 5
  rest = expected[~frequent].sum()
  expected = [*expected[frequent], *([rest] if rest else [])]
  found = [*counts[frequent], *([counts[~frequent].sum()] if rest else [])]
  assert stats.chisquare(found, expected).pvalue > 1e-3


@pytest.mark.parametrize("sigma", [0.2, 0.7, math.inf])
@pytest.mark.parametrize("first, second", [("a", "d"), (3, 0)])
def test_joint_law(first, second, sigma):
  factors = draw_correlated(
    SPACE, 30_000, SEED, first=first, second=second, sigma=sigma
  ).numpy()
  assert_counts(joint(SPACE, factors, 0, 3), law((3, 7), sigma))
  assert stats.chisquare(np.bincount(factors[:, 1], minlength=40)).pvalue > 1e-3
  others = joint(SPACE, factors, 0, 1)
  assert stats.chi2_contingency(others).pvalue > 1e-3


def test_a_tiny_sigma_makes_the_factors_equal():
  options = {"first": "d", "second": "a", "sigma": 1e-6}
  factors = draw_correlated(SPACE, 3_000, SEED, **options).numpy()
  np.testing.assert_array_equal(factors[:, 3], 3 * factors[:, 0])


def test_partial_grids_keep_the_law_of_what_exists():
  options = {"first": "a", "second": "d", "sigma": 0.5}
  factors = draw_correlated(PARTIAL, 30_000, SEED, **options).numpy()
  PARTIAL.to_index(factors)
  exists = joint(PARTIAL, PARTIAL.points, 0, 3) > 0
  probabilities = law((3, 7), 0.5) * exists
  assert_counts(joint(PARTIAL, factors, 0, 3), probabilities / probabilities.sum())


def test_draws_follow_from_the_seed():
  run_sampler_test(draw_correlated, PARTIAL, first="a", second="b", sigma=0.3)


def test_one_valued_factors_are_allowed():
  factors = draw_correlated(SPACE, 100, SEED, first="c", second="d", sigma=0.1)
  assert factors.shape == draw_single(SPACE, 100, SEED).shape
  assert (factors.numpy()[:, 2] == 0).all()


def test_mistakes_are_reported():
  with pytest.raises(UserError, match="both 'a'"):
    draw_correlated(SPACE, 2, SEED, first="a", second=0, sigma=1)
  with pytest.raises(UserError, match="sigma is 0"):
    draw_correlated(SPACE, 2, SEED, first="a", second="b", sigma=0)
  with pytest.raises(UserError, match="no factor 'e'"):
    draw_correlated(SPACE, 2, SEED, first="a", second="e", sigma=1)
