"""Color-dSprites (Locatello et al. 2019, appendix D)."""

import tensorflow as tf

from disentangle_tf.data.dsprites import DSprites
from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.random_streams import random_uniform


class ColorDSprites(DSprites):
  """dSprites in a random colour: each channel is scaled by U(0.5, 1).

  Args:
    path: see `DSprites`.
  """

  name = "color_dsprites"
  stochastic = True

  def __init__(self, *, path=None):
    super().__init__(path=path)
    self.observation_shape = (*self.observation_shape[:2], 3)

  def observe(self, factors, seed=None):
    sprites = self.sprites(factors)
    seed = observation_seed(factors) if seed is None else seed
    return sprites * (0.5 + 0.5 * random_uniform([tf.shape(sprites)[0], 1, 1, 3], seed))
