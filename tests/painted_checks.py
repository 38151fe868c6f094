"""What every painted version of dSprites promises."""

import numpy as np
import tensorflow as tf
from shared_checks import run_dataset_test

from disentangle_tf.data import DSprites
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")


def draw_points(data, count):
  return data.factors.draw(count, np.random.default_rng(0))


def white_sprites(factors):
  """[points, 64, 64, 1], 0 or 1."""
  return DSprites().observe(factors).numpy()


def run_painted_test(data):
  """Images follow from their seed, and without one from the factors."""
  assert not data.one_image_per_point and data.is_endless
  assert data.observation_shape == (64, 64, 3)
  factors = draw_points(data, 20)
  first, again = data.observe(factors, SEED), data.observe(factors, SEED)
  np.testing.assert_array_equal(first, again)
  in_a_graph = tf.function(data.observe)(factors, SEED)
  np.testing.assert_allclose(first, in_a_graph, atol=1e-6)
  assert (first != data.observe(factors, stream_seed(1, "test"))).numpy().any()
  np.testing.assert_array_equal(data.observe(factors), data.observe(factors))
  assert (data.observe(factors[:1]) != data.observe(factors[1:2])).numpy().any()
  run_dataset_test(data)
