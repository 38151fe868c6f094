import numpy as np
import pytest
import tensorflow as tf
from loss_checks import PARAMETERS, TARGETS

from disentangle_tf.errors import UserError
from disentangle_tf.losses import (
  MSE,
  Bernoulli,
  Normal,
  Overlap,
  WrappedLoss,
  box_kernel,
)


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
