"""Supervised loss: squared error between codes and labels."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_truth
from disentangle_tf.supervision.supervised_loss import SupervisedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class L2(SupervisedLoss):
  """(b * code - label)^2 with one learned scale b, or between numbers in [0, 1].

  Args:
    gamma_sup, factor_sizes: see `SupervisedLoss`.
    learn_scale: whether codes are scaled by b, which starts at 1, to meet the labels as
      they are. Otherwise the sigmoid of a code meets the label divided by its greatest
      value.

  Attributes:
    scale: b, a `keras.Variable`, or None.
  """

  def __init__(self, gamma_sup, factor_sizes, *, learn_scale=True):
    super().__init__(gamma_sup, factor_sizes)
    check_truth("L2", learn_scale=learn_scale)
    self.learn_scale = learn_scale
    self.scale = keras.Variable(1.0, name="scale") if learn_scale else None

  @property
  def variables(self):
    return (self.scale,) if self.learn_scale else ()

  def compare(self, codes, labels):
    if self.learn_scale:
      return tf.math.squared_difference(codes * self.scale, labels)
    return tf.math.squared_difference(tf.sigmoid(codes), self.normalise(labels))
