"""Spaces to draw from, and what every sampler promises."""

import numpy as np
import tensorflow as tf

from disentangle_tf.data import FactorSpace, PartialFactorSpace
from disentangle_tf.random_streams import stream_seed

SPACE = FactorSpace("abcd", (3, 40, 1, 7))
_SOME = np.random.default_rng(0).choice(SPACE.num_points, 300, replace=False)
PARTIAL = PartialFactorSpace("abcd", SPACE.sizes, SPACE.to_factors(_SOME))


def run_sampler_test(draw, space, **options):
  """The seed is all that counts, XLA changes nothing, all points exist."""

  def drawn(step):
    return tf.nest.flatten(draw(space, 32, stream_seed(5, "x", step), **options))

  compiled = tf.function(drawn, jit_compile=True, autograph=False)(tf.constant(3))
  for points, again, by_xla in zip(drawn(3), drawn(3), compiled, strict=True):
    assert points.dtype == tf.int32
    np.testing.assert_array_equal(points, again)
    np.testing.assert_array_equal(points, by_xla)
    space.to_index(points.numpy())  # raises if one does not exist
  assert np.any([a != b for a, b in zip(drawn(3), drawn(4), strict=True)])
