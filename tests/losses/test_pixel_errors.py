import numpy as np
from loss_checks import PARAMETERS, TARGETS, run_loss_test

from disentangle_tf.losses import MAE, MSE, SigmoidMSE


def test_mse():
  loss = MSE()
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), (TARGETS - PARAMETERS) ** 2, rtol=1e-6
  )
  np.testing.assert_array_equal(loss.images(PARAMETERS), PARAMETERS)


def test_what_every_loss_promises():
  run_loss_test(MSE(), standardised=True, of_difference=True)


def test_mae():
  loss = MAE()
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), np.abs(TARGETS - PARAMETERS), rtol=1e-6
  )
  np.testing.assert_array_equal(loss.images(PARAMETERS), PARAMETERS)


def test_mae_what_every_loss_promises():
  run_loss_test(MAE(), standardised=True, of_difference=True)


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


def test_sigmoid_mse_what_every_loss_promises():
  run_loss_test(SigmoidMSE(), standardised=False, of_difference=True)
