import numpy as np
from loss_checks import PARAMETERS, TARGETS, run_loss_test

from disentangle_tf.losses import MAE


def test_mae():
  loss = MAE()
  np.testing.assert_allclose(
    loss(TARGETS, PARAMETERS), np.abs(TARGETS - PARAMETERS), rtol=1e-6
  )
  np.testing.assert_array_equal(loss.images(PARAMETERS), PARAMETERS)


def test_what_every_loss_promises():
  run_loss_test(MAE(), standardised=True, of_difference=True)
