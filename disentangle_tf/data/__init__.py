"""Data sets with ground-truth factors, samplers of factors, batches and labels."""

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.factor_subset import FactorSubset
from disentangle_tf.data.factor_table import FactorTable
from disentangle_tf.data.ground_truth_data import (
  GroundTruthData,
  num_points,
  observation_shape,
  standardisation,
)
from disentangle_tf.data.known_sets import KNOWN_SETS, KnownSet, find_known_set
from disentangle_tf.data.labels.labelled_set import LabelledSet, labelled_factor_sizes
from disentangle_tf.data.labels.labellers import (
  binned_labels,
  noisy_labels,
  partial_labels,
  perfect_labels,
  permuted_labels,
)
from disentangle_tf.data.listed_images import ListedImages
from disentangle_tf.data.manipulated import Manipulated
from disentangle_tf.data.partial_factor_space import PartialFactorSpace
from disentangle_tf.data.sampling.batches import Batches
from disentangle_tf.data.sampling.correlated_factors import draw_correlated
from disentangle_tf.data.sampling.pair_samplers import (
  changed_factors,
  draw_pairs,
  draw_triplets,
)
from disentangle_tf.data.sampling.samplers import (
  draw_single,
  draw_traversals,
  draw_whole_set,
  draw_with_fixed_factor,
)
from disentangle_tf.data.sampling.temporal_samplers import draw_temporal_pairs
from disentangle_tf.data.serialisation import data_from_config, data_to_config
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.celeb_a import CelebA
from disentangle_tf.data.sets.color_dsprites import ColorDSprites
from disentangle_tf.data.sets.dsprites import DSprites
from disentangle_tf.data.sets.fashion_mnist import FashionMNIST
from disentangle_tf.data.sets.lattice import Lattice
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.noisy_dsprites import NoisyDSprites
from disentangle_tf.data.sets.pinwheel import Pinwheel
from disentangle_tf.data.sets.scream_dsprites import ScreamDSprites
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.data.sets.spot import Spot
from disentangle_tf.data.sets.xy_squares import XYSquares
from disentangle_tf.data.singular_values import singular_values
from disentangle_tf.data.strangers_sets import check_strangers_set
from disentangle_tf.data.uniform_noise import UniformNoise

__all__ = [
  "KNOWN_SETS",
  "MPI3D",
  "Batches",
  "Cars3D",
  "CelebA",
  "ColorDSprites",
  "DSprites",
  "FactorSpace",
  "FactorSubset",
  "FactorTable",
  "FashionMNIST",
  "GroundTruthData",
  "KnownSet",
  "LabelledSet",
  "Lattice",
  "ListedImages",
  "Manipulated",
  "NoisyDSprites",
  "PartialFactorSpace",
  "Pinwheel",
  "ScreamDSprites",
  "Shapes3D",
  "SmallNORB",
  "Spot",
  "UniformNoise",
  "XYSquares",
  "binned_labels",
  "changed_factors",
  "check_strangers_set",
  "data_from_config",
  "data_to_config",
  "draw_correlated",
  "draw_pairs",
  "draw_single",
  "draw_temporal_pairs",
  "draw_traversals",
  "draw_triplets",
  "draw_whole_set",
  "draw_with_fixed_factor",
  "find_known_set",
  "labelled_factor_sizes",
  "noisy_labels",
  "num_points",
  "observation_shape",
  "partial_labels",
  "perfect_labels",
  "permuted_labels",
  "singular_values",
  "standardisation",
]
