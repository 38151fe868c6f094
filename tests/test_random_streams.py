import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

from disentangle_tf.random_streams import random_uniform, random_words, stream_seed


def test_streams_steps_and_replicas_differ():
  seeds = {
    tuple(stream_seed(run, stream, step, replica).numpy())
    for run in (0, 1)
    for stream in ("a", "b")
    for step in (0, 1)
    for replica in (0, 1)
  }
  assert len(seeds) == 16


@pytest.mark.parametrize("draw", [random_words, random_uniform])
@pytest.mark.parametrize("run_seed", [0, 5, -3, 2**40])
def test_xla_changes_nothing(draw, run_seed):
  def drawn(step, replica):
    return draw([50, 3], stream_seed(run_seed, "x", step, replica))

  compiled = tf.function(drawn, jit_compile=True)
  for step in range(20):
    arguments = tf.constant(step), tf.constant(step % 3)
    np.testing.assert_array_equal(drawn(*arguments), compiled(*arguments))


def test_uniform():
  values = random_uniform([50_000], stream_seed(0, "x")).numpy()
  assert stats.kstest(values, "uniform").pvalue > 1e-3
  assert values.min() > 0 and values.max() < 1
