"""The checks that every pixel-wise reconstruction loss must pass."""

import keras
import numpy as np
import pytest
import tensorflow as tf

_RNG = np.random.default_rng(0)
TARGETS = _RNG.random((2, 4, 4, 3), np.float32)
PARAMETERS = _RNG.normal(size=(2, 4, 4, 3)).astype(np.float32)
_DIRECTION = _RNG.normal(size=PARAMETERS.shape).astype(np.float32)


def run_loss_test(loss, *, standardised, of_difference):
  """What every `ReconstructionLoss` promises.

  Args:
    standardised, of_difference: what it must say of itself.
  """
  assert loss.standardised is standardised
  assert loss.of_difference is of_difference
  _check_of_difference(loss)
  _check_gradient(loss)
  _check_binary_images_and_xla(loss)
  _check_round_trip(loss)


def _check_of_difference(loss):
  """It is what it says."""
  first, second = 0.5 * TARGETS[:1], 0.5 * TARGETS[1:]
  same = np.allclose(
    loss.distance(first, second),
    loss.distance(first + 0.25, second + 0.25),
    rtol=1e-3,
    atol=1e-5,
  )
  assert same == loss.of_difference


def _check_gradient(loss):
  """It is the slope."""
  points = tf.constant(PARAMETERS)

  def along(step):
    return float(tf.reduce_sum(loss(TARGETS, points + step * _DIRECTION)))

  with tf.GradientTape() as tape:
    tape.watch(points)
    value = loss(TARGETS, points)
  slope = float(tf.reduce_sum(tape.gradient(value, points) * _DIRECTION))
  assert slope == pytest.approx((along(1e-3) - along(-1e-3)) / 2e-3, rel=0.01, abs=0.02)


def _check_binary_images_and_xla(loss):
  targets = tf.constant(np.round(TARGETS))
  images = tf.constant(np.round(TARGETS[::-1]))
  parameters = tf.constant(30 * PARAMETERS)
  for compare, other in ((loss.__call__, parameters), (loss.distance, images)):
    plain = compare(targets, other)
    assert plain.shape == TARGETS.shape and np.isfinite(plain).all()
    compiled = tf.function(compare, jit_compile=True)(targets, other)
    np.testing.assert_allclose(plain, compiled, rtol=1e-5, atol=1e-5)


def _check_round_trip(loss):
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert type(again) is type(loss)
  assert again.get_config() == loss.get_config()
  np.testing.assert_allclose(
    again(TARGETS, PARAMETERS), loss(TARGETS, PARAMETERS), rtol=1e-5, atol=1e-6
  )
