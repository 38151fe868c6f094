"""Distances between images as a reconstruction loss perceives them."""

from disentangle_tf.perceived.distance_matrix import distance_matrix
from disentangle_tf.perceived.learned_kernel import learned_kernel

__all__ = ["distance_matrix", "learned_kernel"]
