"""Supervised loss: cross-entropy between the sigmoid of codes and labels."""

import keras
import tensorflow as tf

from disentangle_tf.supervision.supervised_loss import SupervisedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class CrossEntropy(SupervisedLoss):
  """Cross-entropy of codes, as logits, with labels divided by their greatest value.

  Least, but not 0, where the sigmoid of a code is the label in [0, 1].
  """

  def compare(self, codes, labels):
    return tf.nn.sigmoid_cross_entropy_with_logits(
      logits=codes, labels=self.normalise(labels)
    )
