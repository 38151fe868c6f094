import numpy as np
import pytest
import tensorflow as tf
from sampler_checks import PARTIAL, SPACE, run_sampler_test
from scipy import stats
from shared_checks import tiny_data

from disentangle_tf.data import Batches, FactorSpace, PartialFactorSpace, XYSquares
from disentangle_tf.data.sampling import pair_samplers
from disentangle_tf.data.sampling.pair_samplers import (
  changed_factors,
  draw_pairs,
  draw_triplets,
)
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")
COUNT = 20_000


def test_factors_of_one_value_cannot_change():
  changeable = pair_samplers.changeable_factors(SPACE)
  assert changeable.tolist() == [True, True, False, True]
  with pytest.raises(UserError, match="4 or more factors.*of a, b, c, d only 3 have"):
    pair_samplers.changeable_factors(SPACE, at_least=4)


def test_ranks_are_uniform_orders_of_what_is_allowed():
  allowed = np.array([True, True, False, True])
  ranks = pair_samplers.random_ranks(COUNT, allowed, SEED).numpy()
  assert (np.sort(ranks, axis=1) == np.arange(4)).all()
  assert (ranks[:, 2] == 3).all()  # factors that are not allowed come last
  orders = np.bincount(ranks[:, [0, 1, 3]] @ [9, 3, 1])
  assert stats.chisquare(orders[orders > 0]).pvalue > 1e-3
  assert np.sum(orders > 0) == 6


def test_equal_words_still_make_an_order(monkeypatch):
  monkeypatch.setattr(
    pair_samplers, "random_words", lambda shape, seed: tf.ones(shape, tf.uint32)
  )
  ranks = pair_samplers.random_ranks(2, np.array([False, True, True]), SEED)
  np.testing.assert_array_equal(ranks, [[2, 0, 1]] * 2)


def test_different_values_are_uniform_over_the_others():
  points = tf.constant([[1, 5, 0, 6]] * COUNT)
  values = pair_samplers.different_values(SPACE, points, SEED).numpy()
  assert (values[:, 2] == 0).all()  # its only value
  for column, size in ((0, 3), (1, 40), (3, 7)):
    counts = np.bincount(values[:, column], minlength=size)
    assert counts[points[0, column]] == 0
    assert stats.chisquare(counts[counts > 0]).pvalue > 1e-3
    assert np.sum(counts > 0) == size - 1


def test_one_to_all_factors_change():
  points = tf.constant([[1, 5, 0, 6]] * COUNT)
  changed = pair_samplers.change_some_factors(SPACE, points, SEED) != points
  counts = np.bincount(changed.numpy().sum(axis=1), minlength=4)
  assert counts[0] == 0 and stats.chisquare(counts[1:]).pvalue > 1e-3


def _proposing(candidates):
  """Make a function that proposes the given points, one candidate after the other."""

  def propose(space, points, seed):
    repeats = points.shape[0] // len(candidates)
    return tf.repeat(tf.constant(candidates), repeats, axis=0)

  return propose


def test_in_a_whole_space_the_first_proposal_is_taken():
  anchors = tf.constant([[0, 0]] * 3)
  partners = pair_samplers.existing_partners(
    FactorSpace("ab", (3, 3)), anchors, _proposing([[1, 2]]), SEED
  )
  np.testing.assert_array_equal(partners, [[1, 2]] * 3)


def test_in_a_partial_space_the_first_that_exists_is_taken():
  space = PartialFactorSpace("ab", (3, 3), [[0, 0], [1, 1], [2, 2]])
  anchors = tf.constant([[0, 0], [1, 1]])
  proposals = [[0, 1]] * 5 + [[2, 2]] + [[1, 1]] * 10  # sixteen
  partners = pair_samplers.existing_partners(
    space, anchors, _proposing(proposals), SEED
  )
  np.testing.assert_array_equal(partners, [[2, 2]] * 2)


def test_where_none_exists_any_other_point_is_taken():
  space = PartialFactorSpace("ab", (3, 3), [[0, 0], [1, 1], [2, 2]])
  anchors = tf.constant([[1, 1]] * 3_000)
  partners = pair_samplers.existing_partners(
    space, anchors, _proposing([[0, 1]]), SEED
  ).numpy()
  counts = np.bincount(space.to_index(partners), minlength=3)
  assert counts[1] == 0 and stats.chisquare(counts[[0, 2]]).pvalue > 1e-3


def test_of_several_partners_all_must_exist():
  space = PartialFactorSpace("ab", (3, 3), [[0, 0], [1, 1], [2, 2]])
  anchors = tf.constant([[0, 0]] * 4)

  def propose(space, points, seed):
    return tf.ones_like(points), tf.constant([[0, 1]] * points.shape[0])

  first, last = pair_samplers.existing_partners(space, anchors, propose, SEED)
  np.testing.assert_array_equal(first, anchors)  # not the proposed one
  assert (space.to_index(last.numpy()) > 0).all()


def test_a_lone_point_has_no_partner():
  space = PartialFactorSpace("ab", (3, 3), [[1, 1]])
  with pytest.raises(UserError, match="only one point"):
    pair_samplers.existing_partners(
      space, tf.constant([[1, 1]]), _proposing([[0, 1]]), SEED
    )


DIAGONAL = PartialFactorSpace("abc", (30, 30, 30), np.arange(30)[:, None] + [0, 0, 0])


def drawn(draw, space, count=30_000, **options):
  return [points.numpy() for points in draw(space, count, SEED, **options)]


def test_pairs_of_the_paper_change_one_to_all_factors_equally_often():
  anchors, partners = drawn(draw_pairs, SPACE)
  changed = anchors != partners
  assert not changed[:, 2].any()  # it has one value
  counts = np.bincount(changed.sum(axis=1), minlength=4)
  assert counts[0] == 0
  assert stats.chisquare(counts[1:]).pvalue > 1e-3
  for number in (1, 2):  # all choices of this many factors are equally likely
    which = changed[changed.sum(axis=1) == number][:, [0, 1, 3]].sum(axis=0)
    assert stats.chisquare(which).pvalue > 1e-3


def test_changed_values_are_uniform_over_the_others():
  anchors, partners = drawn(draw_pairs, SPACE)
  for column in (0, 1, 3):
    size = SPACE.sizes[column]
    steps = (partners - anchors)[:, column] % size
    assert stats.chisquare(np.bincount(steps, minlength=size)[1:]).pvalue > 1e-3
    values = np.bincount(anchors[:, column], minlength=size)
    assert stats.chisquare(values).pvalue > 1e-3


def test_pairs_of_dlib():
  """1 or k ~ U{1...5} factors are drawn again; each changes with probability 7/8."""
  anchors, partners = drawn(draw_pairs, XYSquares().factors, like="dlib")
  chosen = np.array([0, 0.6, 0.1, 0.1, 0.1, 0.1, 0])
  numbers = np.arange(7)
  expected = chosen @ stats.binom.pmf(numbers, numbers[:, None], 7 / 8)
  np.testing.assert_allclose(expected[0], 0.0768, atol=1e-4)  # two equal points
  counts = np.bincount((anchors != partners).sum(axis=1), minlength=7)
  assert counts[6] == 0
  assert stats.chisquare(counts[:6], len(anchors) * expected[:6]).pvalue > 1e-3


def test_labels_of_pairs_say_what_changed():
  changed = changed_factors([[1, 2, 3], [4, 5, 6]], [[1, 0, 3], [4, 5, 6]])
  np.testing.assert_array_equal(changed, [[False, True, False], [False] * 3])


def test_triplets_nest():
  space = FactorSpace("abcde", (3, 4, 1, 7, 2))
  anchors, positives, negatives = drawn(draw_triplets, space)
  nearer, farther = anchors != positives, anchors != negatives
  assert (farther | ~nearer).all()
  table = np.zeros([5, 5])
  np.add.at(table, (nearer.sum(axis=1), farther.sum(axis=1)), 1)
  expected = np.zeros([5, 5])
  for k_n in (2, 3, 4):
    expected[1:k_n, k_n] = len(anchors) / 3 / (k_n - 1)
  assert (table[expected == 0] == 0).all()
  possible = expected > 0
  assert stats.chisquare(table[possible], expected[possible]).pvalue > 1e-3


@pytest.mark.parametrize("space, like", [(PARTIAL, "paper"), (SPACE, "dlib")])
def test_pairs_follow_from_the_seed(space, like):
  run_sampler_test(draw_pairs, space, like=like)


def test_triplets_follow_from_the_seed():
  run_sampler_test(draw_triplets, SPACE)


def test_partners_in_a_partial_grid_keep_to_the_rule():
  anchors, partners = drawn(draw_pairs, PARTIAL, 3_000)
  assert (anchors != partners).any(axis=1).all()
  PARTIAL.to_index(partners)
  anchors, positives, negatives = drawn(draw_triplets, PARTIAL, 3_000)
  near, far = ((anchors != other).sum(axis=1) for other in (positives, negatives))
  assert (near < far).all()
  PARTIAL.to_index(positives), PARTIAL.to_index(negatives)


def test_where_no_proposal_exists_any_other_point_is_taken():
  anchors, partners = drawn(draw_pairs, DIAGONAL)
  steps = (DIAGONAL.to_index(partners) - DIAGONAL.to_index(anchors)) % 30
  assert stats.chisquare(np.bincount(steps, minlength=30)[1:]).pvalue > 1e-3
  assert (steps > 0).all()
  anchors, positives, negatives = drawn(draw_triplets, DIAGONAL, 100)
  np.testing.assert_array_equal(anchors, positives)
  assert (anchors != negatives).all()


def test_batches_of_pairs_are_pairs_of_images():
  data = tiny_data()
  batches = Batches(data, batch_size=8, seed=1, draw=draw_pairs)
  factors = draw_pairs(data.factors, 8, stream_seed(1, "factors", 2))
  for images, points in zip(batches.make(2), factors, strict=True):
    np.testing.assert_array_equal(images, data.observe(points))
  for images, again in zip(batches.make(2), *batches.dataset(2, 3), strict=True):
    np.testing.assert_array_equal(images, again)


def test_mistakes_are_reported():
  with pytest.raises(UserError, match="'paper' or 'dlib'"):
    draw_pairs(SPACE, 2, SEED, like="other")
  with pytest.raises(UserError, match="1 or more factors must be able to change"):
    draw_pairs(FactorSpace("ab", (1, 1)), 2, SEED)
  with pytest.raises(UserError, match="2 or more factors must be able to change"):
    draw_triplets(FactorSpace("ab", (1, 9)), 2, SEED)
  with pytest.raises(UserError, match="only one point"):
    draw_pairs(PartialFactorSpace("ab", (2, 2), [[0, 1]]), 2, SEED)
