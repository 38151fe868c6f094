"""Color-, Noisy- and Scream-dSprites: dSprites with painted backgrounds or shapes."""

import abc
import os
import pathlib
from collections.abc import Sequence

import numpy as np
import tensorflow as tf
from PIL import Image, UnidentifiedImageError

from disentangle_tf.data.files.official_files import data_folder
from disentangle_tf.data.ground_truth_data import (
  GroundTruthData,
  MeanAndStd,
  observation_seed,
)
from disentangle_tf.data.sets.dsprites import DSprites
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_integers, random_uniform, split_seed


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

  def fetch(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tuple[tf.Tensor, tf.Tensor]:
    seed = observation_seed(factors) if seed is None else seed
    return super().fetch(factors), seed

  def to_images(self, fetched: tuple[tf.Tensor, tf.Tensor]) -> tf.Tensor:
    packed, seed = fetched
    return self.paint(super().to_images(packed), seed)

  def standardisation(self) -> MeanAndStd:
    # Measured, because the constants of `DSprites` are for white sprites on black.
    return GroundTruthData.standardisation(self)


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


_THUMBNAIL = (350, 274)  # the largest width and height of the painting


class ScreamDSprites(PaintedDSprites):
  """dSprites on random patches of Munch's painting "The Scream".

  The background is (patch + U(0, 1) per channel) / 2. Its colours are inverted where
  the sprite is.

  Args:
    painting: an image file; by default the_scream.jpg in `DISENTANGLE_TF_DATA`.
    path: the official npz file of dSprites, to read its sprites.
    image_size: pixels per side, 8 to 64 in steps of 8.
    sizes: the number of values of each factor, see `DSprites`.

  Example:
    >>> from PIL import Image
    >>> from disentangle_tf import data
    >>> Image.new("RGB", (100, 80)).save("painting.png")
    >>> sprites = data.ScreamDSprites(painting="painting.png", sizes=(3, 1, 1, 2, 2))
    >>> sprites.observe([[2, 0, 0, 1, 1]]).shape
    TensorShape([1, 64, 64, 3])
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
    """The painting, even if it is the default one, and the files of `DSprites`."""
    return sorted({*super().files, os.path.abspath(self.painting or painting_file())})

  def paint(self, sprites: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    count = tf.shape(sprites)[0]
    background = (
      self._patches(count, seed) + random_uniform([count, 1, 1, 3], seed)
    ) / 2
    return tf.where(sprites > 0, 1 - background, background)

  def _patches(self, count: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
    """Cut random patches [count, side, side, 3] from the painting."""
    sides = self.observation_shape[:2]
    choices = np.subtract(self._thumbnail.shape[:2], sides) + 1
    corners = random_integers([count, 2], split_seed(seed, "corners"), choices)
    rows = corners[:, 0, None, None] + tf.range(sides[0])[:, None]
    columns = corners[:, 1, None, None] + tf.range(sides[1])
    width = self._thumbnail.shape[1]
    return tf.gather(self._thumbnail.reshape(-1, 3), rows * width + columns)


def painting_file() -> pathlib.Path:
  """Return the default path of the painting."""
  return data_folder() / "the_scream.jpg"


def _thumbnail(path: str | os.PathLike) -> np.ndarray:
  """Read a painting as [height, width, 3] float32 in [0, 1], scaled down."""
  if not pathlib.Path(path).is_file():
    raise UserError(
      f"Scream-dSprites needs an image of the painting, but there is no {path}: put "
      "one there, or set data.ScreamDSprites.painting"
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
