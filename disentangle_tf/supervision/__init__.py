"""Losses between codes and labels, for training with a few labelled images."""

from disentangle_tf.supervision.label_losses import (
  L2,
  Covariance,
  CrossEntropy,
  Embedding,
)
from disentangle_tf.supervision.supervised_loss import SupervisedLoss

__all__ = ["L2", "Covariance", "CrossEntropy", "Embedding", "SupervisedLoss"]
