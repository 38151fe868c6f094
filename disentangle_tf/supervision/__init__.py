"""Losses between codes and labels, for training with a few labelled images."""

from disentangle_tf.supervision.covariance import Covariance
from disentangle_tf.supervision.cross_entropy import CrossEntropy
from disentangle_tf.supervision.embedding import Embedding
from disentangle_tf.supervision.l2 import L2
from disentangle_tf.supervision.supervised_loss import SupervisedLoss

__all__ = ["L2", "Covariance", "CrossEntropy", "Embedding", "SupervisedLoss"]
