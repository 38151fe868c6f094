"""Squared error of images in [0, 1], from logits."""

import keras
import tensorflow as tf

from disentangle_tf.losses.mse import MSE


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SigmoidMSE(MSE):
  """Squared error per pixel of images in [0, 1]; the parameters are logits.

  The "l2" of disentanglement_lib (Locatello et al. 2019).
  """

  standardised = False

  def images(self, parameters):
    return tf.sigmoid(parameters)
