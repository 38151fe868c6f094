"""Scream-dSprites: sprites cut into patches of Munch's painting.

Locatello et al. 2019, "Challenging Common Assumptions", appendix D.
"""

import os
import pathlib
from collections.abc import Sequence

import numpy as np
import tensorflow as tf
from PIL import Image, UnidentifiedImageError

from disentangle_tf.data.files.data_folder import data_folder
from disentangle_tf.data.sets.painted_dsprites import PaintedDSprites
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_integers, random_uniform, split_seed

_THUMBNAIL = (350, 274)  # the largest width and height of the painting


class ScreamDSprites(PaintedDSprites):
  """dSprites cut into random patches of Munch's painting.

  The background is (patch + U(0, 1) per channel) / 2; where the sprite is, the colours
  are inverted.

  Args:
    painting: an image file; by default the_scream.jpg in the data folder.
    path, image_size, sizes: see `DSprites`.
  """

  name = "scream_dsprites"

  def __init__(
    self,
    *,
    painting: str | os.PathLike | None = None,
    path: str | os.PathLike | None = None,
    image_size: int = 64,
    sizes: Sequence[int] | None = None,
  ) -> None:
    super().__init__(path=path, image_size=image_size, sizes=sizes)
    self.painting = painting
    self._thumbnail = _thumbnail(painting or painting_file())

  @property
  def files(self) -> list[str]:
    """The painting, also the one in the data folder, and those of `DSprites`."""
    return sorted({*super().files, os.path.abspath(self.painting or painting_file())})

  def paint(self, sprites: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    count = tf.shape(sprites)[0]
    background = (
      self._patches(count, seed) + random_uniform([count, 1, 1, 3], seed)
    ) / 2
    return tf.where(sprites > 0, 1 - background, background)

  def _patches(self, count: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    """Random patches [count, side, side, 3] of the painting."""
    sides = self.observation_shape[:2]
    room = np.subtract(self._thumbnail.shape[:2], sides) + 1
    corners = random_integers([count, 2], split_seed(seed, "corners"), room)
    rows = corners[:, 0, None, None] + tf.range(sides[0])[:, None]
    columns = corners[:, 1, None, None] + tf.range(sides[1])
    width = self._thumbnail.shape[1]
    return tf.gather(self._thumbnail.reshape(-1, 3), rows * width + columns)


def painting_file() -> pathlib.Path:
  """Where the painting is looked for, unless another file is named."""
  return data_folder() / "the_scream.jpg"


def _thumbnail(path: str | os.PathLike) -> np.ndarray:
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
