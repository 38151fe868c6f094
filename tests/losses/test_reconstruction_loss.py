"""Distances of whole images, and the maps that they are squares of."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from loss_checks import PARAMETERS, TARGETS
from scipy import signal

from disentangle_tf.errors import UserError
from disentangle_tf.losses import (
  MAE,
  MSE,
  Bernoulli,
  FeatureLoss,
  Normal,
  Overlap,
  SigmoidMSE,
  WrappedLoss,
  box_kernel,
)

RNG = np.random.default_rng(0)
FIRST, SECOND = RNG.random((2, 3, 6, 6, 2), np.float32)
KERNEL = box_kernel(1)


def _network():
  keras.utils.set_random_seed(0)
  images = keras.Input((6, 6, 2))
  flat = keras.layers.Dense(5)(keras.layers.Flatten()(images))
  return keras.Model(images, [keras.layers.Conv2D(3, 3)(images), flat])


def _blurred(images):
  return signal.convolve(images, KERNEL[None, :, :, None], "same", "direct")


def _mean_square(difference):
  return (np.asarray(difference) ** 2).reshape(3, -1).mean(axis=1)


def test_mean_distance_is_the_mean_over_each_image():
  np.testing.assert_allclose(
    MSE().mean_distance(FIRST, SECOND), _mean_square(FIRST - SECOND), rtol=1e-5
  )
  np.testing.assert_allclose(
    MAE().mean_distance(FIRST, SECOND),
    np.abs(FIRST - SECOND).mean(axis=(1, 2, 3)),
    rtol=1e-5,
  )


NETWORK = _network()
FEATURES = [
  [output.numpy() for output in NETWORK(images)] for images in (FIRST, SECOND)
]
PLAIN = _mean_square(FIRST - SECOND)
BLURRED = _mean_square(_blurred(FIRST) - _blurred(SECOND))
FEATURE = sum(_mean_square(x - y) for x, y in zip(*FEATURES, strict=True))
SQUARED = {
  "MSE": (MSE(), PLAIN),
  "SigmoidMSE": (SigmoidMSE(), PLAIN),
  "Overlap": (Overlap(MSE(), KERNEL, alpha=5.0), PLAIN + 5 * BLURRED),
  "FeatureLoss": (FeatureLoss(MSE(), NETWORK, weight=3.0), PLAIN + 3 * FEATURE),
  "both": (
    FeatureLoss(Overlap(MSE(), KERNEL, alpha=5.0), NETWORK, weight=3.0),
    PLAIN + 5 * BLURRED + 3 * FEATURE,
  ),
  "twice": (
    Overlap(Overlap(MSE(), KERNEL, alpha=5.0), KERNEL, alpha=2.0),
    PLAIN
    + (5 + 2) * BLURRED
    + 10 * _mean_square(_blurred(_blurred(FIRST)) - _blurred(_blurred(SECOND))),
  ),
}


@pytest.mark.parametrize("name", SQUARED)
def test_the_squares_of_the_maps_are_the_distance(name):
  loss, expected = SQUARED[name]
  np.testing.assert_allclose(loss.mean_distance(FIRST, SECOND), expected, rtol=1e-4)
  maps = loss.squared_maps()
  found = sum(weight * _mean_square(of(FIRST) - of(SECOND)) for weight, of in maps)
  np.testing.assert_allclose(found, expected, rtol=1e-4)


@pytest.mark.parametrize(
  "loss",
  [
    MAE(),
    Bernoulli(),
    Overlap(MAE(), KERNEL, alpha=1.0),
    FeatureLoss(MAE(), NETWORK),
  ],
)
def test_what_is_no_square_has_no_maps(loss):
  assert loss.squared_maps() == []


def test_what_a_parent_says_of_its_distance_does_not_hold_for_another():
  class Cubed(MSE):
    def distance(self, targets, images):
      return tf.abs(targets - images) ** 3

  assert MSE().squared_maps() and MSE().of_difference
  assert not Cubed().squared_maps() and not Cubed().of_difference


class OfEachImage(MSE):
  def distance(self, targets, images):
    return tf.reduce_mean((targets - images) ** 2, (1, 2, 3), keepdims=True)


def test_a_loss_gives_one_value_per_pixel():
  with pytest.raises(UserError, match="OfEachImage gives values of shape .*one value"):
    OfEachImage().per_image(TARGETS, PARAMETERS)
  assert OfEachImage().from_squares(tf.ones([2]), 4) is None  # not that of its parent


class Dearer(WrappedLoss):
  """A fee for every pixel, by how bright the second image is."""

  def __init__(self, loss, *, fee):
    super().__init__(loss)
    self.fee = fee

  def addition(self, targets, images):
    return self.fee * images


def test_it_adds_to_the_loss_and_to_the_distance():
  inner = Bernoulli(epsilon=1e-3)
  loss = Dearer(inner, fee=2.0)
  images = tf.sigmoid(PARAMETERS)
  np.testing.assert_allclose(loss.images(PARAMETERS), images)
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), inner(TARGETS, PARAMETERS) + 2 * images, rtol=1e-5
  )
  np.testing.assert_allclose(
    loss.distance(TARGETS, images), inner.distance(TARGETS, images) + 2 * images
  )


def test_it_compares_the_images_and_has_the_variables_of_its_loss():
  assert not Dearer(Bernoulli(), fee=1.0).standardised
  normal = Normal()
  assert Dearer(normal, fee=1.0).standardised
  assert Dearer(normal, fee=1.0).variables == (normal.log_scale,)


def test_what_its_loss_has_learned_becomes_a_setting():
  loss = Overlap(Dearer(Normal(scale=0.5), fee=3.0), box_kernel(1))
  loss.loss.loss.log_scale.assign(np.log(0.2))
  trained = loss.as_trained()
  assert trained.variables == () and trained.loss.loss.scale == pytest.approx(0.2)
  assert (trained.alpha, trained.loss.fee) == (9, 3.0)
  np.testing.assert_allclose(
    trained(TARGETS, PARAMETERS), loss(TARGETS, PARAMETERS), rtol=1e-5
  )
  assert loss.loss.loss.learned and loss.loss.loss.scale == 0.5  # it stays as it was


def test_round_trip():
  config = Dearer(Bernoulli(epsilon=0.01), fee=2.0).get_config()
  again = Dearer.from_config(config)
  assert again.fee == 2.0 and again.loss.epsilon == 0.01
  assert again.get_config() == config


@pytest.mark.parametrize("loss", ["mse", None, MSE])
def test_what_is_no_loss(loss):
  with pytest.raises(UserError, match="Dearer.loss is .*it must be a loss such as"):
    Dearer(loss, fee=1.0)
