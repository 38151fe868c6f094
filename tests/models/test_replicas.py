"""What replicas exchange: rows of the batch, and gradients that may have overflowed."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data, tiny_model

from disentangle_tf import models
from disentangle_tf.data import Batches
from disentangle_tf.models.replicas import (
  apply_sum,
  num_replicas,
  own_rows,
  whole_batch,
  whole_shape,
)

RNG = np.random.default_rng(0)
SHARES = RNG.normal(size=(2, 3, 2)).astype(np.float32)
WHOLE = SHARES.reshape(6, 2)


def _on_both(strategy, function, *values):
  """The function's results on both replicas, each of which gets one of the values."""
  shared = [
    strategy.experimental_distribute_values_from_function(
      lambda context, value=value: tf.constant(value[context.replica_id_in_sync_group])
    )
    for value in values
  ]
  results = tf.function(lambda: strategy.run(function, args=shared))()
  return strategy.experimental_local_results(results)


def test_one_replica_has_the_whole_batch():
  assert num_replicas() == 1
  assert whole_batch(WHOLE) is WHOLE and own_rows(WHOLE) is WHOLE
  assert list(whole_shape(WHOLE.shape)) == [6, 2]


def test_outside_of_all_replicas_there_is_one_batch(two_replicas):
  with two_replicas.scope():
    assert num_replicas() == 1
    assert whole_batch(WHOLE) is WHOLE


def test_rows_of_two_replicas(two_replicas):
  def exchange(rows):
    whole = whole_batch(rows)
    return whole, own_rows(whole), whole_shape(tf.shape(rows))

  found = _on_both(two_replicas, exchange, SHARES)
  for (whole, own, shape), wanted in zip(found, SHARES, strict=True):
    np.testing.assert_array_equal(whole, WHOLE)
    np.testing.assert_array_equal(own, wanted)
    assert list(shape) == [6, 2]


def test_the_gradient_reaches_every_replicas_rows(two_replicas):
  """Of half of f(whole batch) on each replica, the rows' gradient is that of f."""

  def slope(rows):
    with tf.GradientTape() as tape:
      tape.watch(rows)
      half = 0.5 * tf.reduce_sum(whole_batch(rows)) ** 3
    return tape.gradient(half, rows)

  for gradient in _on_both(two_replicas, slope, SHARES):
    expected = np.full((3, 2), 3 * WHOLE.sum() ** 2)
    np.testing.assert_allclose(gradient, expected, rtol=1e-4)


def _descend(strategy, optimizer, *gradients, unused=False):
  """Weights after steps along gradients, one for each replica in each step."""
  with strategy.scope():
    weights = [keras.Variable(np.ones(2)), keras.Variable(np.ones(1))]
    made = optimizer()
    made.build(weights)

  def step(gradient):
    apply_sum(made, [gradient, None if unused else gradient[:1]], weights)

  for each in gradients:
    _on_both(strategy, step, np.asarray(each, np.float32))
  return [np.asarray(weight) for weight in weights], made


@pytest.mark.parametrize(
  ("settings", "norm"), [({"global_clipnorm": 1e-3}, 1e-3), ({"clipnorm": 2e-3}, 2e-3)]
)
def test_the_sum_is_clipped(settings, norm, two_replicas):
  gradients = RNG.normal(size=(2, 2))
  (weights, _), _ = _descend(
    two_replicas, lambda: keras.optimizers.SGD(1.0, **settings), gradients, unused=True
  )
  total = gradients.sum(axis=0)
  expected = 1 - norm * total / np.linalg.norm(total)
  np.testing.assert_allclose(weights, expected, atol=1e-6)


@pytest.mark.parametrize(("replica", "bad"), [(0, np.inf), (1, -np.inf), (1, np.nan)])
def test_an_overflow_on_any_replica_skips_the_step(replica, bad, two_replicas):
  def optimizer():
    inner = keras.optimizers.SGD(1.0, momentum=0.9)
    return keras.optimizers.LossScaleOptimizer(inner, initial_scale=8.0)

  gradients = np.ones((2, 2))
  gradients[replica, 0] = bad
  weights, made = _descend(two_replicas, optimizer, gradients)
  assert all((weight == 1).all() for weight in weights)
  assert np.asarray(made.dynamic_scale) == 4.0 and np.asarray(made.iterations) == 0
  weights, made = _descend(two_replicas, optimizer, np.full((2, 2), 8.0))
  assert all((weight == -1).all() for weight in weights)
  assert np.asarray(made.dynamic_scale) == 8.0 and np.asarray(made.iterations) == 1


def test_opposite_overflows_do_not_cancel(two_replicas):
  def optimizer():
    return keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(1.0))

  opposite = [[np.inf, 1.0], [-np.inf, 1.0]]
  weights, made = _descend(two_replicas, optimizer, opposite)
  assert all((weight == 1).all() for weight in weights)
  assert np.asarray(made.iterations) == 0


def test_a_model_in_half_precision_survives_an_overflow_on_the_second_replica(
  two_replicas,
):
  """Dense networks alone: some CPUs have no convolutions in float16."""
  before = keras.config.dtype_policy()
  keras.config.set_dtype_policy("mixed_float16")
  try:
    with two_replicas.scope():
      model = tiny_model(models.AE)
      inner = keras.optimizers.SGD(0.1)
      scaled = keras.optimizers.LossScaleOptimizer(inner, initial_scale=2.0**18)
      model.compile(scaled)
      scaled.build(model.trainable_variables)
  finally:
    keras.config.set_dtype_policy(before)
  images = np.stack([Batches(tiny_data(), batch_size=8).make(i) for i in range(2)])
  weights = model.get_weights()
  images[1] *= 1000  # an error that is too large for float16, times the scale
  terms = _on_both(
    two_replicas, lambda each: model.train_step(each)["reconstruction"], images
  )
  assert np.isfinite(terms).all()
  for old, new in zip(weights, model.get_weights(), strict=True):
    np.testing.assert_array_equal(old, new)
  assert np.asarray(scaled.dynamic_scale) == 2.0**17
  images[1] /= 1000
  _on_both(two_replicas, lambda each: model.train_step(each)["loss"], images)
  moved = [
    np.abs(old - new).max()
    for old, new in zip(weights, model.get_weights(), strict=True)
  ]
  assert 0 < max(moved) < 0.1
