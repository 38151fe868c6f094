"""Noisy-dSprites: white dSprites on uniform noise.

Locatello et al. 2019, "Challenging Common Assumptions", appendix D.
"""

import tensorflow as tf

from disentangle_tf.data.sets.painted_dsprites import PaintedDSprites
from disentangle_tf.random_streams import random_uniform


class NoisyDSprites(PaintedDSprites):
  """White dSprites on a background of U(0, 1) noise, three channels.

  Args:
    path: the official npz file of dSprites, to read its sprites.
    image_size: pixels per side, 8 to 64 in steps of 8.
    sizes: the number of values of each factor, see `DSprites`.

  Example:
    >>> from disentangle_tf import data
    >>> sprites = data.NoisyDSprites(sizes=(3, 1, 1, 2, 2))
    >>> sprites.observe([[2, 0, 0, 1, 1]]).shape
    TensorShape([1, 64, 64, 3])
  """

  name = "noisy_dsprites"

  def paint(self, sprites: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    shape = tf.concat([tf.shape(sprites)[:3], [3]], axis=0)
    return tf.maximum(sprites, random_uniform(shape, seed))
