"""Errors per pixel: squared, absolute, and squared after a sigmoid."""

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

  def from_squares(self, squares: tf.Tensor, pixels: float) -> tf.Tensor:
    return squares

  def squared_maps(self) -> list[tuple[float, Callable]]:
    return [(1.0, lambda images: images)]


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
