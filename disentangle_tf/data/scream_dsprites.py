"""Scream-dSprites (Locatello et al. 2019, appendix D)."""

import pathlib

import numpy as np
import tensorflow as tf
from PIL import Image, UnidentifiedImageError

from disentangle_tf.data.data_folder import data_folder
from disentangle_tf.data.dsprites import DSprites
from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_integers, random_uniform, split_seed

_THUMBNAIL = (350, 274)  # the largest width and height of the painting


class ScreamDSprites(DSprites):
  """dSprites cut into random patches of Munch's painting.

  The background is (patch + U(0, 1) a channel) / 2; where the sprite is, the colours
  are inverted.

  Args:
    painting: an image file; by default the_scream.jpg in the data folder.
    path: see `DSprites`.
  """

  name = "scream_dsprites"
  stochastic = True

  def __init__(self, *, painting=None, path=None):
    super().__init__(path=path)
    self.painting = painting
    self.observation_shape = (*self.observation_shape[:2], 3)
    self._thumbnail = _thumbnail(painting or data_folder() / "the_scream.jpg")

  def observe(self, factors, seed=None):
    sprites = self.sprites(factors)
    seed = observation_seed(factors) if seed is None else seed
    tint = random_uniform([tf.shape(sprites)[0], 1, 1, 3], seed)
    background = (self._patches(tf.shape(sprites)[0], seed) + tint) / 2
    return tf.where(sprites > 0, 1 - background, background)

  def _patches(self, count, seed):
    """Random patches [count, 64, 64, 3] of the painting."""
    sides = self.observation_shape[:2]
    room = np.subtract(self._thumbnail.shape[:2], sides) + 1
    corners = random_integers([count, 2], split_seed(seed, "corners"), room)
    rows = corners[:, 0, None, None] + tf.range(sides[0])[:, None]
    columns = corners[:, 1, None, None] + tf.range(sides[1])
    width = self._thumbnail.shape[1]
    return tf.gather(self._thumbnail.reshape(-1, 3), rows * width + columns)


def _thumbnail(path):
  """[height, width, 3] float32 in [0, 1], within the usual size."""
  if not pathlib.Path(path).is_file():
    raise UserError(
      f"Scream-dSprites needs a picture of the painting, there is no {path}: put one "
      "there, or set data.ScreamDSprites.painting"
    )
  try:
    with Image.open(path) as picture:
      picture = picture.convert("RGB")
  except (OSError, UnidentifiedImageError) as error:
    raise UserError(f"{path} cannot be read as an image: {error}") from error
  picture.thumbnail(_THUMBNAIL)
  if min(picture.size) < 64:
    raise UserError(f"{path} is too narrow for patches of 64x64 at {_THUMBNAIL}")
  return np.asarray(picture, np.float32) / 255
