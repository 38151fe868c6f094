"""Absolute error of standardised images, the L1 loss."""

import keras
import tensorflow as tf

from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class MAE(ReconstructionLoss):
  """Absolute error per pixel; the mean reduction makes it the mean absolute error.

  The decoder has no output activation: its parameters are standardised pixels.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> black, white = tf.zeros((1, 2, 2, 1)), tf.ones((1, 2, 2, 1))
    >>> losses.MAE()(black, 3 * white).numpy().ravel().tolist()
    [3.0, 3.0, 3.0, 3.0]
  """

  of_difference = True

  def distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    return tf.abs(targets - images)
