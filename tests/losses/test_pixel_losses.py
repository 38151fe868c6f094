import keras
import numpy as np
import pytest
import tensorflow as tf

from disentangle_tf.losses import MSE, Bernoulli

RNG = np.random.default_rng(0)
TARGETS = RNG.random((2, 4, 4, 3), np.float32)
PARAMETERS = RNG.normal(size=(2, 4, 4, 3)).astype(np.float32)


def test_mse():
  loss = MSE()
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), (TARGETS - PARAMETERS) ** 2, rtol=1e-6
  )
  np.testing.assert_array_equal(loss.images(PARAMETERS), PARAMETERS)


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


@pytest.mark.parametrize("loss", [MSE(), Bernoulli(epsilon=1e-3)])
def test_round_trip(loss):
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert type(again) is type(loss)
  assert again.get_config() == loss.get_config()
