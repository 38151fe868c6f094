import numpy as np
from loss_checks import PARAMETERS, TARGETS, run_loss_test

from disentangle_tf.losses import MSE


def test_mse():
  loss = MSE()
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), (TARGETS - PARAMETERS) ** 2, rtol=1e-6
  )
  np.testing.assert_array_equal(loss.images(PARAMETERS), PARAMETERS)


def test_what_every_loss_promises():
  run_loss_test(MSE(), standardised=True, of_difference=True)
