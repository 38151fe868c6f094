"""Spot: a soft spot of light at one of 169 positions, for training in seconds."""

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace, grid_index
from disentangle_tf.data.ground_truth_data import GroundTruthData

_SIDE = 16
_PLACES = 13  # from 4 to 11
_WIDTH, _HEIGHT = 4.0, 3.0  # standard deviations, of x and of y
_DARK, _LIGHT = 0.2, 0.6


class Spot(GroundTruthData):
  """A Gaussian spot, wider than high, at 13 x 13 positions of a 16x16 image.

  Small models disentangle it reliably with a squared error. The images are smooth, so
  they are nearly linear over several steps, and x changes them less than y. Pixels are
  in [0.2, 0.8], so a change of 0.2 is never folded.

  Example:
    >>> from disentangle_tf import data
    >>> spot = data.Spot()
    >>> len(spot)
    169
    >>> spot.observe([[6, 6]]).shape  # in the middle
    TensorShape([1, 16, 16, 1])
  """

  name = "spot"
  renders_on_device = True

  def __init__(self) -> None:
    self.factors = FactorSpace(("x", "y"), (_PLACES, _PLACES))
    self.observation_shape = (_SIDE, _SIDE, 1)
    x, y = np.linspace(4, 11, _PLACES)[self.factors.to_factors(np.arange(len(self)))].T
    pixels = np.arange(_SIDE)
    across = (pixels - x[:, None]) ** 2 / (2 * _WIDTH**2)
    down = (pixels - y[:, None]) ** 2 / (2 * _HEIGHT**2)
    light = np.exp(-across[:, None, :] - down[:, :, None])
    self._images = (_DARK + _LIGHT * light).astype(np.float32)[..., None]

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    del seed
    return tf.gather(tf.constant(self._images), grid_index(self.factors, factors))
