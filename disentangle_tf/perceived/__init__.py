"""Distances between images as a reconstruction loss perceives them."""

from disentangle_tf.perceived.distance_matrix import distance_matrix

__all__ = ["distance_matrix"]
