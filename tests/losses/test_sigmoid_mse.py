import numpy as np
from loss_checks import PARAMETERS, TARGETS, run_loss_test

from disentangle_tf.losses import SigmoidMSE


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


def test_what_every_loss_promises():
  run_loss_test(SigmoidMSE(), standardised=False, of_difference=True)
