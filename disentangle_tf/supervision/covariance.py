"""Supervised loss: the covariance of codes with the labels of other factors."""

import keras
import tensorflow as tf

from disentangle_tf.supervision.supervised_loss import SupervisedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Covariance(SupervisedLoss):
  """Sum of the squared covariances of each latent with the labels of other latents.

  Covariances are taken over the batch, with labels as they are. The covariance of a
  latent with its own label is not penalised. Unlike disentanglement_lib, latents
  without a label are ignored.

  Args:
    gamma_sup: see `SupervisedLoss`.
    factor_sizes: see `SupervisedLoss`.

  Reference: Locatello et al., 2020, "Disentangling Factors of Variations Using Few
  Labels".

  Example:
    >>> from disentangle_tf import supervision
    >>> loss = supervision.Covariance(1.0, (2, 2))
    >>> labels = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> float(loss(labels, labels))  # each latent is its own label
    0.0
  """

  needs_whole_batch = True

  def compare(self, codes: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    # It is enough to centre one of the two.
    centred = codes - tf.reduce_mean(codes, axis=0)
    covariance = tf.reduce_mean(centred[:, :, None] * labels[:, None, :], axis=0)
    others = tf.linalg.set_diag(covariance, tf.zeros(len(self.factor_sizes)))
    return tf.reduce_sum(others**2, axis=0, keepdims=True)
