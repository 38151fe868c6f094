"""All that `perceive` finds of a data set, as numbers: `Perception`."""

import dataclasses

import numpy as np

from disentangle_tf.data import GroundTruthData
from disentangle_tf.losses import ReconstructionLoss


@dataclasses.dataclass(frozen=True)
class Perception:
  """What a reconstruction loss sees of a data set.

  Attributes:
    data: the `GroundTruthData`.
    loss: the `losses.ReconstructionLoss`.
    importance: of `factor_importance`, with what it was measured on; importance.json.
    agreement: of `agreement`; agreement.json.
    traversals: for each factor a random traversal of it, points [values, factors].
    matrices: for each factor its `distance_matrix`.
    curves: {"random" or factor: distances [pairs]} of random pairs, and of those that
      differ in the one factor.
    worlds: {label: distance matrix of the first factor}, true and in each of the other
      data sets; None if there are none.
    ranking: of `rank_losses`; None if that was not asked for.
    level_distances: of `level_distances`; None without a model.
    levels: of `level_agreement`; None without a model.
  """

  data: GroundTruthData
  loss: ReconstructionLoss
  importance: dict
  agreement: dict
  traversals: list[np.ndarray]
  matrices: list[np.ndarray]
  curves: dict
  worlds: dict | None = None
  ranking: list | None = None
  level_distances: dict | None = None
  levels: dict | None = None
