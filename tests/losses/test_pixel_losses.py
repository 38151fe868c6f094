import keras
import numpy as np
import pytest
import tensorflow as tf

from disentangle_tf.losses import (
  MAE,
  MSE,
  Bernoulli,
  ContinuousBernoulli,
  Normal,
  SigmoidMSE,
)

RNG = np.random.default_rng(0)
TARGETS = RNG.random((2, 4, 4, 3), np.float32)
PARAMETERS = RNG.normal(size=(2, 4, 4, 3)).astype(np.float32)


def test_mse():
  loss = MSE()
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), (TARGETS - PARAMETERS) ** 2, rtol=1e-6
  )
  np.testing.assert_array_equal(loss.images(PARAMETERS), PARAMETERS)


def test_mae():
  loss = MAE()
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), np.abs(TARGETS - PARAMETERS), rtol=1e-6
  )
  np.testing.assert_array_equal(loss.images(PARAMETERS), PARAMETERS)


def test_sigmoid_mse():
  loss = SigmoidMSE()
  images = 1 / (1 + np.exp(-PARAMETERS))
  np.testing.assert_allclose(loss.images(PARAMETERS), images, rtol=1e-5)
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), (TARGETS - images) ** 2, rtol=1e-4, atol=1e-7
  )
  np.testing.assert_allclose(
    loss.distance(TARGETS, images), (TARGETS - images) ** 2, rtol=1e-5
  )


def test_bernoulli_from_logits():
  probability = 1 / (1 + np.exp(-PARAMETERS.astype(np.float64)))
  expected = -TARGETS * np.log(probability) - (1 - TARGETS) * np.log(1 - probability)
  np.testing.assert_allclose(Bernoulli()(TARGETS, PARAMETERS), expected, rtol=1e-5)
  np.testing.assert_allclose(Bernoulli().images(PARAMETERS), probability, rtol=1e-6)
  np.testing.assert_allclose(
    Bernoulli().distance(TARGETS, probability.astype(np.float32)), expected, rtol=1e-4
  )


def test_bernoulli_between_binary_images_is_finite():
  distance = Bernoulli(epsilon=1e-6).distance(tf.constant([1.0]), tf.constant([0.0]))
  assert float(distance[0]) == pytest.approx(-np.log(1e-6), rel=1e-5)


LOSSES = [
  MSE(),
  MAE(),
  SigmoidMSE(),
  Bernoulli(epsilon=1e-3),
  ContinuousBernoulli(epsilon=0.01),
  Normal(scale=0.5),
  Normal(scale=2.0, learned=False),
]


def _name(loss):
  return type(loss).__name__


def test_defaults():
  assert Bernoulli().epsilon == 1e-6
  assert ContinuousBernoulli().epsilon == 1e-3
  assert Normal().scale == 1.0 and Normal().learned


def test_what_was_learned_becomes_a_setting():
  loss = Normal(scale=0.5)
  loss.log_scale.assign(np.log(0.2))
  trained = loss.as_trained()
  assert trained.scale == pytest.approx(0.2) and not trained.learned
  np.testing.assert_allclose(
    trained(TARGETS, PARAMETERS), loss(TARGETS, PARAMETERS), rtol=1e-5
  )
  plain = MSE()
  assert plain.as_trained() is plain


def test_spaces():
  within_0_and_1 = {_name(loss) for loss in LOSSES if not loss.standardised}
  assert within_0_and_1 == {"SigmoidMSE", "Bernoulli", "ContinuousBernoulli"}


@pytest.mark.parametrize("loss", LOSSES, ids=_name)
def test_of_difference_is_what_it_says(loss):
  first, second = 0.5 * TARGETS[:1], 0.5 * TARGETS[1:]
  same = np.allclose(
    loss.distance(first, second),
    loss.distance(first + 0.25, second + 0.25),
    rtol=1e-3,
    atol=1e-5,
  )
  assert same == loss.of_difference


@pytest.mark.parametrize("loss", LOSSES, ids=_name)
def test_gradient_is_the_slope(loss):
  direction = RNG.normal(size=PARAMETERS.shape).astype(np.float32)
  points = tf.constant(PARAMETERS)

  def along(step):
    return float(tf.reduce_sum(loss(TARGETS, points + step * direction)))

  with tf.GradientTape() as tape:
    tape.watch(points)
    value = loss(TARGETS, points)
  slope = float(tf.reduce_sum(tape.gradient(value, points) * direction))
  assert slope == pytest.approx((along(1e-3) - along(-1e-3)) / 2e-3, rel=0.01, abs=0.02)


@pytest.mark.parametrize("loss", LOSSES, ids=_name)
def test_binary_images_and_xla(loss):
  targets = tf.constant(np.round(TARGETS))
  images = tf.constant(np.round(TARGETS[::-1]))
  parameters = tf.constant(30 * PARAMETERS)
  for compare, other in ((loss.__call__, parameters), (loss.distance, images)):
    plain = compare(targets, other)
    assert plain.shape == TARGETS.shape and np.isfinite(plain).all()
    compiled = tf.function(compare, jit_compile=True)(targets, other)
    np.testing.assert_allclose(plain, compiled, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("loss", LOSSES, ids=_name)
def test_round_trip(loss):
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert type(again) is type(loss)
  assert again.get_config() == loss.get_config()
  np.testing.assert_allclose(
    again(TARGETS, PARAMETERS), loss(TARGETS, PARAMETERS), rtol=1e-5, atol=1e-6
  )


def test_what_a_parent_says_of_its_distance_does_not_hold_for_another():
  class Cubed(MSE):
    def distance(self, targets, images):
      return tf.abs(targets - images) ** 3

  assert MSE().squared_maps() and MSE().of_difference
  assert not Cubed().squared_maps() and not Cubed().of_difference
