"""Squared error of standardised images, the L2 loss."""

from collections.abc import Callable

import keras
import tensorflow as tf

from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class MSE(ReconstructionLoss):
  """Squared error per pixel; the mean reduction makes it the mean squared error.

  The decoder has no output activation: its parameters are standardised pixels.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> black, white = tf.zeros((1, 2, 2, 1)), tf.ones((1, 2, 2, 1))
    >>> losses.MSE()(black, 3 * white).numpy().ravel().tolist()
    [9.0, 9.0, 9.0, 9.0]
  """

  of_difference = True

  def distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    return tf.math.squared_difference(targets, images)

  def squared_maps(self) -> list[tuple[float, Callable]]:
    return [(1.0, lambda images: images)]
