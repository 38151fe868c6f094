"""Color-dSprites: sprites in random colours.

Locatello et al. 2019, "Challenging Common Assumptions", appendix D.
"""

import tensorflow as tf

from disentangle_tf.data.sets.painted_dsprites import PaintedDSprites
from disentangle_tf.random_streams import random_uniform


class ColorDSprites(PaintedDSprites):
  """dSprites in a random colour: each channel is scaled by U(0.5, 1).

  Args:
    path, image_size, sizes: see `DSprites`.
  """

  name = "color_dsprites"

  def paint(self, sprites: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    colours = 0.5 + 0.5 * random_uniform([tf.shape(sprites)[0], 1, 1, 3], seed)
    return sprites * colours
