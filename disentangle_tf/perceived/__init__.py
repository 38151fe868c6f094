"""Perceived distances: distances between images under a reconstruction loss."""

from disentangle_tf.perceived.agreement import agreement
from disentangle_tf.perceived.check_traversable import check_traversable
from disentangle_tf.perceived.distance_matrix import distance_matrices, distance_matrix
from disentangle_tf.perceived.factor_importance import factor_importance
from disentangle_tf.perceived.learned_kernel import learned_kernel
from disentangle_tf.perceived.level_distances import level_agreement, level_distances
from disentangle_tf.perceived.pairwise_distances import pairwise_distances
from disentangle_tf.perceived.perceive import perceive
from disentangle_tf.perceived.perception import Perception
from disentangle_tf.perceived.rank_losses import rank_losses
from disentangle_tf.perceived.write_tables import write_tables

__all__ = [
  "Perception",
  "agreement",
  "check_traversable",
  "distance_matrices",
  "distance_matrix",
  "factor_importance",
  "learned_kernel",
  "level_agreement",
  "level_distances",
  "pairwise_distances",
  "perceive",
  "rank_losses",
  "write_tables",
]
