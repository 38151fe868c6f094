"""Squared error of standardised images, the L2 loss."""

import keras
import tensorflow as tf

from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class MSE(ReconstructionLoss):
  """Squared error per pixel; the mean reduction makes it the mean squared error.

  The decoder has no output activation: its parameters are standardised pixels.
  """

  of_difference = True

  def distance(self, targets, images):
    return tf.math.squared_difference(targets, images)

  def squared_maps(self):
    return [(1.0, lambda images: images)]
