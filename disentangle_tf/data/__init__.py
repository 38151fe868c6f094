"""Ground-truth data sets, what is drawn from them, and how batches are made."""

from disentangle_tf.data.batches import Batches
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.ground_truth_data import (
  GroundTruthData,
  observation_shape,
  standardisation,
)
from disentangle_tf.data.partial_factor_space import PartialFactorSpace
from disentangle_tf.data.samplers import draw_single
from disentangle_tf.data.serialisation import data_from_config, data_to_config
from disentangle_tf.data.xy_squares import XYSquares

__all__ = [
  "Batches",
  "FactorSpace",
  "GroundTruthData",
  "PartialFactorSpace",
  "XYSquares",
  "data_from_config",
  "data_to_config",
  "draw_single",
  "observation_shape",
  "standardisation",
]
