import numpy as np
from sampler_checks import PARTIAL, SPACE
from scipy import stats

from disentangle_tf.data import PartialFactorSpace
from disentangle_tf.data.sampling.completion import Completion
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
