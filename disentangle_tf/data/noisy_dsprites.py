"""Noisy-dSprites (Locatello et al. 2019, appendix D)."""

import tensorflow as tf

from disentangle_tf.data.dsprites import DSprites
from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.random_streams import random_uniform


class NoisyDSprites(DSprites):
  """White dSprites on a background of U(0, 1) noise, three channels.

  Args:
    path: see `DSprites`.
  """

  name = "noisy_dsprites"
  stochastic = True

  def __init__(self, *, path=None):
    super().__init__(path=path)
    self.observation_shape = (*self.observation_shape[:2], 3)

  def observe(self, factors, seed=None):
    sprites = self.sprites(factors)
    seed = observation_seed(factors) if seed is None else seed
    shape = tf.concat([tf.shape(sprites)[:3], [3]], axis=0)
    return tf.maximum(sprites, random_uniform(shape, seed))
