import numpy as np
import pytest
import tensorflow as tf
from sampler_checks import SPACE
from scipy import stats

from disentangle_tf.data import FactorSpace, PartialFactorSpace
from disentangle_tf.data.sampling import factor_changes
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")
COUNT = 20_000


def test_factors_of_one_value_cannot_change():
  changeable = factor_changes.changeable_factors(SPACE)
  assert changeable.tolist() == [True, True, False, True]
  with pytest.raises(UserError, match="4 or more factors.*of a, b, c, d only 3 have"):
    factor_changes.changeable_factors(SPACE, at_least=4)


def test_ranks_are_uniform_orders_of_what_is_allowed():
  allowed = np.array([True, True, False, True])
  ranks = factor_changes.random_ranks(COUNT, allowed, SEED).numpy()
  assert (np.sort(ranks, axis=1) == np.arange(4)).all()
  assert (ranks[:, 2] == 3).all()  # factors that are not allowed come last
  orders = np.bincount(ranks[:, [0, 1, 3]] @ [9, 3, 1])
  assert stats.chisquare(orders[orders > 0]).pvalue > 1e-3
  assert np.sum(orders > 0) == 6


def test_equal_words_still_make_an_order(monkeypatch):
  monkeypatch.setattr(
    factor_changes, "random_words", lambda shape, seed: tf.ones(shape, tf.uint32)
  )
  ranks = factor_changes.random_ranks(2, np.array([False, True, True]), SEED)
  np.testing.assert_array_equal(ranks, [[2, 0, 1]] * 2)


def test_different_values_are_uniform_over_the_others():
  points = tf.constant([[1, 5, 0, 6]] * COUNT)
  values = factor_changes.different_values(SPACE, points, SEED).numpy()
  assert (values[:, 2] == 0).all()  # its only value
  for column, size in ((0, 3), (1, 40), (3, 7)):
    counts = np.bincount(values[:, column], minlength=size)
    assert counts[points[0, column]] == 0
    assert stats.chisquare(counts[counts > 0]).pvalue > 1e-3
    assert np.sum(counts > 0) == size - 1


def test_one_to_all_factors_change():
  points = tf.constant([[1, 5, 0, 6]] * COUNT)
  changed = factor_changes.change_some_factors(SPACE, points, SEED) != points
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
  partners = factor_changes.existing_partners(
    FactorSpace("ab", (3, 3)), anchors, _proposing([[1, 2]]), SEED
  )
  np.testing.assert_array_equal(partners, [[1, 2]] * 3)


def test_in_a_partial_space_the_first_that_exists_is_taken():
  space = PartialFactorSpace("ab", (3, 3), [[0, 0], [1, 1], [2, 2]])
  anchors = tf.constant([[0, 0], [1, 1]])
  proposals = [[0, 1]] * 5 + [[2, 2]] + [[1, 1]] * 10  # sixteen
  partners = factor_changes.existing_partners(
    space, anchors, _proposing(proposals), SEED
  )
  np.testing.assert_array_equal(partners, [[2, 2]] * 2)


def test_where_none_exists_any_other_point_is_taken():
  space = PartialFactorSpace("ab", (3, 3), [[0, 0], [1, 1], [2, 2]])
  anchors = tf.constant([[1, 1]] * 3_000)
  partners = factor_changes.existing_partners(
    space, anchors, _proposing([[0, 1]]), SEED
  ).numpy()
  counts = np.bincount(space.to_index(partners), minlength=3)
  assert counts[1] == 0 and stats.chisquare(counts[[0, 2]]).pvalue > 1e-3


def test_of_several_partners_all_must_exist():
  space = PartialFactorSpace("ab", (3, 3), [[0, 0], [1, 1], [2, 2]])
  anchors = tf.constant([[0, 0]] * 4)

  def propose(space, points, seed):
    return tf.ones_like(points), tf.constant([[0, 1]] * points.shape[0])

  first, last = factor_changes.existing_partners(space, anchors, propose, SEED)
  np.testing.assert_array_equal(first, anchors)  # not the proposed one
  assert (space.to_index(last.numpy()) > 0).all()


def test_a_lone_point_has_no_partner():
  space = PartialFactorSpace("ab", (3, 3), [[1, 1]])
  with pytest.raises(UserError, match="only one point"):
    factor_changes.existing_partners(
      space, tf.constant([[1, 1]]), _proposing([[0, 1]]), SEED
    )
