"""Color-dSprites: dSprites in random colours.

Locatello et al. 2019, "Challenging Common Assumptions", appendix D.
"""

import tensorflow as tf

from disentangle_tf.data.sets.painted_dsprites import PaintedDSprites
from disentangle_tf.random_streams import random_uniform


class ColorDSprites(PaintedDSprites):
  """dSprites in random colours: each channel is scaled by U(0.5, 1).

  Args:
    path: the official npz file of dSprites, to read its sprites.
    image_size: pixels per side, 8 to 64 in steps of 8.
    sizes: the number of values of each factor, see `DSprites`.

  Example:
    >>> from disentangle_tf import data
    >>> sprites = data.ColorDSprites(sizes=(3, 1, 1, 2, 2))
    >>> sprites.observe([[2, 0, 0, 1, 1]]).shape
    TensorShape([1, 64, 64, 3])
  """

  name = "color_dsprites"

  def paint(self, sprites: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    colours = 0.5 + 0.5 * random_uniform([tf.shape(sprites)[0], 1, 1, 3], seed)
    return sprites * colours
