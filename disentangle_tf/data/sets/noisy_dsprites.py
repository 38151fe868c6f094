"""Noisy-dSprites: white sprites on uniform noise.

Locatello et al. 2019, "Challenging Common Assumptions", appendix D.
"""

import tensorflow as tf

from disentangle_tf.data.sets.painted_dsprites import PaintedDSprites
from disentangle_tf.random_streams import random_uniform


class NoisyDSprites(PaintedDSprites):
  """White dSprites on a background of U(0, 1) noise, three channels.

  Args:
    path, image_size, sizes: see `DSprites`.
  """

  name = "noisy_dsprites"

  def paint(self, sprites: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    shape = tf.concat([tf.shape(sprites)[:3], [3]], axis=0)
    return tf.maximum(sprites, random_uniform(shape, seed))
