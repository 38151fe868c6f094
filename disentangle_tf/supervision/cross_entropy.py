"""Supervised loss: cross-entropy between the sigmoid of codes and labels."""

import keras
import tensorflow as tf

from disentangle_tf.supervision.supervised_loss import SupervisedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class CrossEntropy(SupervisedLoss):
  """Cross-entropy of codes, as logits, with labels scaled to [0, 1].

  Labels are divided by their greatest value. The minimum, which is above 0 for labels
  strictly between 0 and 1, is where the sigmoid of a code equals the scaled label.

  Args:
    gamma_sup: see `SupervisedLoss`.
    factor_sizes: see `SupervisedLoss`.

  Reference: Locatello et al., 2020, "Disentangling Factors of Variations Using Few
  Labels".

  Example:
    >>> from disentangle_tf import supervision
    >>> loss = supervision.CrossEntropy(1.0, (2,))
    >>> round(float(loss([[0.0], [0.0]], [[0], [1]])), 3)  # log 2
    0.693
  """

  def compare(self, codes: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    return tf.nn.sigmoid_cross_entropy_with_logits(
      logits=codes, labels=self.normalise(labels)
    )
