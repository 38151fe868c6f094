"""Absolute error of standardised images, the L1 loss."""

import keras
import tensorflow as tf

from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class MAE(ReconstructionLoss):
  """Absolute error per pixel; the mean reduction makes it the mean absolute error.

  The decoder has no output activation: its parameters are standardised pixels.
  """

  of_difference = True

  def distance(self, targets, images):
    return tf.abs(targets - images)
