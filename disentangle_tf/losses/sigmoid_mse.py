"""Squared error of images in [0, 1], from logits."""

import keras
import tensorflow as tf

from disentangle_tf.losses.mse import MSE


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SigmoidMSE(MSE):
  """Squared error per pixel of images in [0, 1]; the parameters are logits.

  This is "l2" in disentanglement_lib (Locatello et al. 2019).

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> white, logits = tf.ones((1, 2, 2, 1)), tf.zeros((1, 2, 2, 1))
    >>> losses.SigmoidMSE()(white, logits).numpy().ravel().tolist()
    [0.25, 0.25, 0.25, 0.25]
  """

  standardised = False

  def images(self, parameters: tf.Tensor) -> tf.Tensor:
    return tf.sigmoid(parameters)
