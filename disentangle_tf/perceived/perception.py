"""Result of `perceive`, as numbers."""

import dataclasses

import numpy as np

from disentangle_tf.data import GroundTruthData
from disentangle_tf.losses import ReconstructionLoss


@dataclasses.dataclass(frozen=True)
class Perception:
  """How a reconstruction loss perceives a data set: the result of `perceive`.

  Attributes:
    data: the `GroundTruthData`.
    loss: the `losses.ReconstructionLoss`.
    importance: result of `factor_importance`, with the settings; importance.json.
    agreement: result of `agreement`; agreement.json.
    traversals: for each factor a random traversal, points `[values, factors]`.
    matrices: for each factor its `distance_matrix`, `[values, values]`.
    curves: `{"random" or factor: distances [pairs]}` of random pairs, and of pairs that
      differ in one factor.
    worlds: `{label: distance matrix of the first factor}`, true and in each of the
      other data sets; None without other sets.
    ranking: result of `rank_losses`; None if it was not requested.
    level_distances: result of `level_distances`; None without a model.
    levels: result of `level_agreement`; None without a model.

  Example:
    >>> from disentangle_tf import data, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)
    >>> found = perceived.perceive(
    ...   data=squares, num_pairs=10, num_curve_pairs=10, num_traversals=2
    ... )
    >>> [matrix.shape for matrix in found.matrices], found.curves["random"].shape
    ([(3, 3), (3, 3)], (10,))
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
