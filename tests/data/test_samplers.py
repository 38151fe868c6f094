import numpy as np
import tensorflow as tf
from scipy import stats

from disentangle_tf.data import FactorSpace, draw_single
from disentangle_tf.random_streams import stream_seed

SPACE = FactorSpace(("a", "b", "c"), (3, 40, 7))


def test_single_draws_are_uniform_and_independent():
  factors = draw_single(SPACE, 50_000, stream_seed(0, "test")).numpy()
  for column, size in zip(factors.T, SPACE.sizes, strict=True):
    assert stats.chisquare(np.bincount(column, minlength=size)).pvalue > 1e-3
  pairs = np.bincount(factors[:, 0] * 7 + factors[:, 2], minlength=21)
  assert stats.chisquare(pairs).pvalue > 1e-3


def test_draws_follow_from_the_seed_alone():
  seeds = [stream_seed(0, "test", step) for step in (1, 1, 2)]
  same, again, other = (draw_single(SPACE, 100, seed).numpy() for seed in seeds)
  np.testing.assert_array_equal(same, again)
  assert (same != other).any()


def test_draws_compile():
  draw = tf.function(lambda step: draw_single(SPACE, 64, stream_seed(5, "x", step)))
  compiled = tf.function(draw.python_function, jit_compile=True)
  np.testing.assert_array_equal(draw(tf.constant(3)), compiled(tf.constant(3)))
