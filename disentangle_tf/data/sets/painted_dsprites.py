"""Base class of Color-, Noisy- and Scream-dSprites: `PaintedDSprites`.

Locatello et al. 2019, "Challenging Common Assumptions", appendix D.
"""

import abc
import os
from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.data.ground_truth_data import GroundTruthData, MeanAndStd
from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.data.sets.dsprites import DSprites


class PaintedDSprites(DSprites):
  """dSprites with random colours; a subclass defines `paint`.

  Args:
    path: the official npz file of dSprites, to read its sprites.
    image_size: pixels per side, 8 to 64 in steps of 8.
    sizes: the number of values of each factor, see `DSprites`.
  """

  one_image_per_point = False

  def __init__(
    self,
    *,
    path: str | os.PathLike | None = None,
    image_size: int = 64,
    sizes: Sequence[int] | None = None,
  ) -> None:
    super().__init__(path=path, image_size=image_size, sizes=sizes)
    self.observation_shape = (*self.observation_shape[:2], 3)

  @abc.abstractmethod
  def paint(self, sprites: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    """Paint white sprites [points, side, side, 1] as images [points, side, side, 3]."""

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    seed = observation_seed(factors) if seed is None else seed
    return self.paint(super().observe(factors), seed)

  def standardisation(self) -> MeanAndStd:
    # Measured, because the constants of `DSprites` are for white sprites on black.
    return GroundTruthData.standardisation(self)
