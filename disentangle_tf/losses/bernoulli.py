"""Bernoulli cross-entropy of images in [0, 1], from logits."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_positive
from disentangle_tf.errors import UserError
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Bernoulli(ReconstructionLoss):
  """Cross-entropy per pixel of images in [0, 1]; the parameters are logits.

  Between two images, probabilities are kept `epsilon` away from 0 and 1, without which
  the distance of two different binary images would be infinite.
  """

  standardised = False

  def __init__(self, *, epsilon=1e-6):
    check_epsilon("Bernoulli", epsilon)
    self.epsilon = epsilon

  def __call__(self, targets, parameters):
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=parameters)

  def images(self, parameters):
    return tf.sigmoid(parameters)

  def distance(self, targets, images):
    images = tf.clip_by_value(images, self.epsilon, 1 - self.epsilon)
    return -targets * tf.math.log(images) - (1 - targets) * tf.math.log1p(-images)


def check_epsilon(owner, epsilon):
  """Raises a `UserError` unless probabilities can stay so far away from 0 and 1."""
  check_positive(owner, epsilon=epsilon)
  if epsilon >= 0.5:
    raise UserError(f"{owner}.epsilon is {epsilon!r}: it must be below 0.5")
