import numpy as np
import pytest
from shared_checks import tiny_data

from disentangle_tf.data import Batches, draw_single
from disentangle_tf.errors import UserError


def test_pipeline_gives_the_batch_of_each_step():
  batches = Batches(tiny_data(), batch_size=8, seed=1)
  for step, images in enumerate(batches.dataset(5, 8), start=5):
    np.testing.assert_array_equal(images, batches.make(step))


def test_replicas_share_the_batch_of_one():
  whole = Batches(tiny_data(), batch_size=8).make(3)
  split = Batches(tiny_data(), batch_size=8, num_replicas=4)
  parts = [split.make(3, replica) for replica in range(4)]
  np.testing.assert_array_equal(whole, np.concatenate(parts))
  np.testing.assert_array_equal(whole, np.concatenate(list(split.dataset(3, 4))))


def test_a_worker_is_served_its_own_replicas():
  split = Batches(tiny_data(), batch_size=8, num_replicas=4)
  served = list(split.dataset(3, 5, replicas=range(2, 4)))
  expected = [split.make(step, replica) for step in (3, 4) for replica in (2, 3)]
  np.testing.assert_array_equal(served, expected)


def test_samplers_of_pairs_give_pairs():
  def draw_twice(space, batch_size, seed):
    factors = draw_single(space, batch_size, seed)
    return factors, factors

  first, second = Batches(tiny_data(), batch_size=8, draw=draw_twice).make(0)
  np.testing.assert_array_equal(first, second)


def test_a_batch_that_cannot_be_split_is_refused():
  with pytest.raises(UserError, match="multiple of 3"):
    Batches(tiny_data(), batch_size=8, num_replicas=3)
