"""Perceived distances: distances between images under a reconstruction loss."""

from disentangle_tf.perceived.distances import (
  distance_matrices,
  distance_matrix,
  pairwise_distances,
)
from disentangle_tf.perceived.importance import factor_importance
from disentangle_tf.perceived.kernel_learning import learned_kernel
from disentangle_tf.perceived.levels import level_agreement, level_distances
from disentangle_tf.perceived.perception import Perception, perceive
from disentangle_tf.perceived.ranking import agreement, rank_losses
from disentangle_tf.perceived.tables import write_tables
from disentangle_tf.perceived.traversals import check_traversable

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
