"""Data sets with ground-truth factors, samplers of factors, batches and labels."""

from disentangle_tf.data.factor_space import FactorSpace, PartialFactorSpace
from disentangle_tf.data.fetched_data import FetchedData
from disentangle_tf.data.ground_truth_data import (
  GroundTruthData,
  ListedImages,
  num_points,
  observation_shape,
  standardisation,
)
from disentangle_tf.data.known_sets import KNOWN_SETS, KnownSet, find_known_set
from disentangle_tf.data.labels import (
  LabelledSet,
  binned_labels,
  labelled_factor_sizes,
  noisy_labels,
  partial_labels,
  perfect_labels,
  permuted_labels,
)
from disentangle_tf.data.sampling.batches import Batches
from disentangle_tf.data.sampling.pair_samplers import (
  changed_factors,
  draw_pairs,
  draw_triplets,
)
from disentangle_tf.data.sampling.samplers import (
  draw_correlated,
  draw_single,
  draw_traversals,
  draw_whole_set,
  draw_with_fixed_factor,
)
from disentangle_tf.data.sampling.temporal_samplers import draw_temporal_pairs
from disentangle_tf.data.serialisation import (
  check_foreign_data,
  data_from_config,
  data_to_config,
)
from disentangle_tf.data.sets.cars3d import Cars3D
from disentangle_tf.data.sets.dsprites import DSprites
from disentangle_tf.data.sets.factor_table import FactorTable
from disentangle_tf.data.sets.images_without_factors import CelebA, FashionMNIST
from disentangle_tf.data.sets.manipulated import Manipulated
from disentangle_tf.data.sets.mpi3d import MPI3D
from disentangle_tf.data.sets.painted_dsprites import (
  ColorDSprites,
  NoisyDSprites,
  ScreamDSprites,
)
from disentangle_tf.data.sets.point_clouds import Lattice, Pinwheel
from disentangle_tf.data.sets.shapes3d import Shapes3D
from disentangle_tf.data.sets.small_norb import SmallNORB
from disentangle_tf.data.sets.spot import Spot
from disentangle_tf.data.sets.wrappers import FactorSubset, UniformNoise
from disentangle_tf.data.sets.xy_squares import XYSquares
from disentangle_tf.data.spectrum import singular_values

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
  "FetchedData",
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
  "check_foreign_data",
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
