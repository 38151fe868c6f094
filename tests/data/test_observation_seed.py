import numpy as np
import tensorflow as tf

from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.random_streams import stream_seed


def seed(factors):
  return tuple(observation_seed(factors).numpy().tolist())


def test_it_follows_from_the_sum_of_values_weighted_by_their_squared_places():
  """1 (0 + 1) + 4 (2 + 1) + 9 (1 + 1) + 16 (0 + 1) = 47"""
  expected = stream_seed(0, "observe", 47)
  np.testing.assert_array_equal(observation_seed([[0, 2], [1, 0]]), expected)


def test_other_points_and_other_orders_have_other_seeds():
  asked = [[[0, 0]], [[0, 1]], [[1, 0]], [[0, 0], [0, 1]], [[0, 1], [0, 0]]]
  assert len({seed(factors) for factors in asked}) == len(asked)
  assert seed([[3, 4]]) == seed([[3, 4]])


def test_it_is_a_seed_of_random_streams_in_a_graph_too():
  factors = np.random.default_rng(0).integers(1000, size=(500, 7))
  found = observation_seed(factors)
  assert found.dtype == tf.int32 and found.shape == (2,) and (found.numpy() >= 0).all()
  in_a_graph = tf.function(observation_seed)(tf.constant(factors))
  np.testing.assert_array_equal(found, in_a_graph)
