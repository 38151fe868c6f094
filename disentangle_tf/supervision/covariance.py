"""Supervised loss: the covariance of codes with the labels of other latents."""

import keras
import tensorflow as tf

from disentangle_tf.supervision.supervised_loss import SupervisedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Covariance(SupervisedLoss):
  """Squared covariances of each label with the codes that stand for other labels.

  Over the batch, with labels as they are. A code's covariance with its own label is
  free. disentanglement_lib also counts latents that have no label.
  """

  needs_whole_batch = True

  def compare(self, codes, labels):
    # It is enough to centre one of the two.
    centred = codes - tf.reduce_mean(codes, axis=0)
    covariance = tf.reduce_mean(centred[:, :, None] * labels[:, None, :], axis=0)
    others = tf.linalg.set_diag(covariance, tf.zeros(len(self.factor_sizes)))
    return tf.reduce_sum(others**2, axis=0, keepdims=True)
