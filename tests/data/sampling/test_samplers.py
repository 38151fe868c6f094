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
  draw_traversals,
  draw_with_fixed_factor,
)
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

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
