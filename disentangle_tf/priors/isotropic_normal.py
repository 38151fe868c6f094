"""The standard normal prior."""

import keras
import tensorflow_probability as tfp

from disentangle_tf.priors.prior import Prior


@keras.saving.register_keras_serializable(package="disentangle_tf")
class IsotropicNormal(Prior):
  """N(0, 1) a latent. Rotations of the latents do not change it."""

  def __init__(self):
    pass

  @property
  def distribution(self):
    return tfp.distributions.Normal(0.0, 1.0)
