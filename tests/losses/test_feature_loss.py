import keras
import numpy as np
import pytest
import tensorflow as tf
from keras import layers
from shared_checks import tiny_data, tiny_networks

from disentangle_tf import models
from disentangle_tf.errors import UserError
from disentangle_tf.losses import (
  MSE,
  Bernoulli,
  FeatureLoss,
  Normal,
  Overlap,
  box_kernel,
)
from disentangle_tf.random_streams import stream_seed

RNG = np.random.default_rng(0)
TARGETS = RNG.random((3, 8, 8, 2), np.float32)
PARAMETERS = RNG.normal(size=(3, 8, 8, 2)).astype(np.float32)


def _network(outputs=2, seed=0):
  keras.utils.set_random_seed(seed)
  images = keras.Input((8, 8, 2))
  coarse = layers.Conv2D(4, 3, strides=2, activation="tanh")(images)
  coarse = layers.BatchNormalization()(coarse)
  flat = layers.Dense(5)(layers.Flatten()(layers.Dropout(0.5)(coarse)))
  return keras.Model(images, [coarse, flat][:outputs])


@pytest.mark.parametrize("inner", [MSE(), Bernoulli()])
@pytest.mark.parametrize("outputs", [1, 2])
def test_is_the_sum_of_the_loss_and_the_error_of_the_features(inner, outputs):
  network = _network(outputs)
  loss = FeatureLoss(inner, network, weight=3.0)
  images = np.asarray(inner.images(PARAMETERS))
  features = [network.predict(values, verbose=0) for values in (TARGETS, images)]
  if outputs == 1:
    features = [[values] for values in features]
  expected = sum(
    ((x - y) ** 2).reshape(3, -1).mean(axis=1) for x, y in zip(*features, strict=True)
  )
  value = loss(TARGETS, PARAMETERS)
  assert value.shape == TARGETS.shape
  added = value - inner(TARGETS, PARAMETERS)
  np.testing.assert_allclose(
    added, np.broadcast_to(3.0 * expected[:, None, None, None], value.shape), rtol=1e-4
  )
  np.testing.assert_allclose(
    loss.distance(TARGETS, images),
    inner.distance(TARGETS, images) + added,
    rtol=1e-4,
  )
  assert loss.standardised == inner.standardised
  assert not loss.of_difference


def test_learns_images_and_leaves_the_network_alone():
  loss = FeatureLoss(Normal(), _network())
  assert not loss.network.trainable_variables
  assert [v for v in loss.variables if v.trainable] == [loss.loss.log_scale]
  images = tf.constant(PARAMETERS)

  @tf.function(jit_compile=True)
  def gradient(images):
    with tf.GradientTape() as tape:
      tape.watch(images)
      value = tf.reduce_mean(loss(TARGETS, images))
    return value, tape.gradient(value, images)

  before = [value.copy() for value in loss.network.get_weights()]
  value, slope = gradient(images)
  assert float(value) == pytest.approx(float(tf.reduce_mean(loss(TARGETS, images))))
  direction = slope / tf.norm(slope)
  ahead, behind = (
    float(gradient(images + step * direction)[0]) for step in (0.05, -0.05)
  )
  assert (ahead - behind) / 0.1 == pytest.approx(float(tf.norm(slope)), rel=1e-2)
  for ours, theirs in zip(before, loss.network.get_weights(), strict=True):
    np.testing.assert_array_equal(ours, theirs)


def test_the_weight_is_1_by_default():
  assert FeatureLoss(MSE(), _network()).weight == 1.0


def test_around_and_within_an_overlap_loss():
  kernel = box_kernel(1)
  outside = FeatureLoss(Overlap(MSE(), kernel, alpha=9.0), _network())
  inside = Overlap(FeatureLoss(MSE(), _network()), kernel, alpha=9.0)
  assert outside(TARGETS, PARAMETERS).shape == TARGETS.shape
  assert inside(TARGETS, PARAMETERS).shape == TARGETS.shape
  assert len(inside.variables) == len(inside.loss.network.weights)


def test_round_trip():
  loss = FeatureLoss(Normal(scale=0.5), _network(), weight=0.25)
  config = keras.saving.serialize_keras_object(loss)
  again = keras.saving.deserialize_keras_object(config)
  assert again.get_config() == loss.get_config()
  assert not again.network.trainable
  again.network.set_weights(loss.network.get_weights())
  np.testing.assert_allclose(
    again(TARGETS, PARAMETERS), loss(TARGETS, PARAMETERS), rtol=1e-5, atol=1e-6
  )


def test_its_weights_are_saved_with_the_model(tmp_path):
  loss = FeatureLoss(Normal(), _network())
  model = models.VAE(*tiny_networks(), loss)
  model.compile(keras.optimizers.Adam(0.1))
  images = tiny_data().observe([[0, 1, 2, 3], [3, 2, 1, 0]])
  model.train_step(images)
  assert loss.loss.log_scale.numpy() != 0
  model.save(tmp_path / "model.keras")
  keras.utils.set_random_seed(1)
  loaded = keras.models.load_model(tmp_path / "model.keras")
  terms, again = (m.loss_terms(images, stream_seed(0, "x")) for m in (model, loaded))
  assert float(again["reconstruction"]) == pytest.approx(
    float(terms["reconstruction"]), rel=1e-5
  )


@pytest.mark.parametrize("network", [None, keras.Sequential([layers.Dense(1)])])
def test_what_is_no_network(network):
  with pytest.raises(UserError, match="FeatureLoss.network"):
    FeatureLoss(MSE(), network)


def test_the_weight_is_a_number_from_0_up():
  with pytest.raises(UserError, match="FeatureLoss.weight is -1"):
    FeatureLoss(MSE(), _network(), weight=-1)
