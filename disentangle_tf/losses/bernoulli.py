"""Bernoulli cross-entropy of images in [0, 1], from logits."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_positive
from disentangle_tf.errors import UserError
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Bernoulli(ReconstructionLoss):
  """Cross-entropy per pixel of images in [0, 1]; the parameters are logits.

  In the distance between two images, probabilities are clipped to [epsilon,
  1 - epsilon]. Otherwise two different binary images would be infinitely far apart.

  Args:
    epsilon: above 0 and below 0.5.

  Raises:
    UserError: epsilon is out of range.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> white, logits = tf.ones((1, 2, 2, 1)), tf.zeros((1, 2, 2, 1))
    >>> each = losses.Bernoulli()(white, logits)
    >>> each.shape.as_list(), round(float(each[0, 0, 0, 0]), 3)
    ([1, 2, 2, 1], 0.693)
  """

  standardised = False

  def __init__(self, *, epsilon: float = 1e-6) -> None:
    check_epsilon("Bernoulli", epsilon)
    self.epsilon = epsilon

  def __call__(self, targets: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=parameters)

  def images(self, parameters: tf.Tensor) -> tf.Tensor:
    return tf.sigmoid(parameters)

  def distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    images = tf.clip_by_value(images, self.epsilon, 1 - self.epsilon)
    return -targets * tf.math.log(images) - (1 - targets) * tf.math.log1p(-images)


def check_epsilon(owner: str, epsilon: float) -> None:
  """Raise a `UserError` unless epsilon is above 0 and below 0.5."""
  check_positive(owner, epsilon=epsilon)
  if epsilon >= 0.5:
    raise UserError(f"{owner}.epsilon is {epsilon!r}: it must be below 0.5")
