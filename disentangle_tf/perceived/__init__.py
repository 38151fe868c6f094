"""Distances between images as a reconstruction loss perceives them."""

from disentangle_tf.perceived.agreement import agreement
from disentangle_tf.perceived.distance_matrix import distance_matrix
from disentangle_tf.perceived.factor_importance import factor_importance
from disentangle_tf.perceived.learned_kernel import learned_kernel
from disentangle_tf.perceived.level_distances import (
  level_agreement,
  level_distances,
  levels_figure,
)
from disentangle_tf.perceived.pairwise_distances import pairwise_distances
from disentangle_tf.perceived.perceive import perceive
from disentangle_tf.perceived.rank_losses import rank_losses

__all__ = [
  "agreement",
  "distance_matrix",
  "factor_importance",
  "learned_kernel",
  "level_agreement",
  "level_distances",
  "levels_figure",
  "pairwise_distances",
  "perceive",
  "rank_losses",
]
