"""dSprites: a square, an ellipse or a heart, rendered rather than downloaded.

Matthey, Higgins, Hassabis & Lerchner 2017, "dSprites: Disentanglement testing Sprites
dataset".
"""

import functools
import math
import os
from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace, grid_index
from disentangle_tf.data.fetched_data import FetchedData
from disentangle_tf.data.files.reading import check_array, opened_array
from disentangle_tf.data.ground_truth_data import MeanAndStd
from disentangle_tf.data.sets import dsprites_rendering
from disentangle_tf.errors import UserError

_SIDE = dsprites_rendering.SIDE
_BLOCK = 8192  # images of the official file in memory at a time


class DSprites(FetchedData):
  """737,280 binary images of 64x64: a square, an ellipse or a heart.

  The images are rendered, with a geometry inferred from real images, see
  `dsprites_rendering`. 46,074 of 46,080 real images are reproduced exactly; the others
  differ in one pixel. Rendering the whole set takes a few seconds. It is kept in memory
  only, with one bit per pixel: 377 MB, shared by all instances.

  Args:
    path: the official npz file, to read the images instead of rendering them.
    image_size: pixels per side, 8 to 64 in steps of 8. The sprites are scaled down.
    sizes: the number of values of shape, scale, orientation, position x and position y,
      at most (3, 6, 40, 32, 32). Fewer values are spread evenly over the same range,
      with both ends. So the last orientation looks like the first, as in the original.

  Raises:
    UserError: an argument is out of range, or the file is not the official one.

  Example:
    >>> from disentangle_tf import data
    >>> sprites = data.DSprites(image_size=32, sizes=(3, 3, 9, 8, 8))
    >>> len(sprites)
    5184
    >>> sprites.observe([[2, 2, 0, 4, 4]]).shape  # a large heart near the middle
    TensorShape([1, 32, 32, 1])
  """

  name = "dsprites"

  def __init__(
    self,
    *,
    path: str | os.PathLike | None = None,
    image_size: int = _SIDE,
    sizes: Sequence[int] | None = None,
  ) -> None:
    self.path = path
    self.image_size = image_size
    self.sizes = tuple(sizes or dsprites_rendering.SIZES)
    self._check()
    names = ("shape", "scale", "orientation", "position_x", "position_y")
    self.factors = FactorSpace(names, self.sizes)
    self.observation_shape = (image_size, image_size, 1)
    self._packed = (
      _rendered(self.sizes, image_size) if path is None else _official(str(path))
    )

  def fetch(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    del seed
    index = grid_index(self.factors, factors)
    packed = tf.numpy_function(self._packed.__getitem__, [index], tf.uint8)
    packed.set_shape([*index.shape, self._packed.shape[1]])
    return packed

  def to_images(self, fetched: tf.Tensor) -> tf.Tensor:
    pixels = tf.gather(_pixels_of_bytes(), tf.cast(fetched, tf.int32))
    return tf.reshape(pixels, [-1, self.image_size, self.image_size, 1])

  def standardisation(self) -> MeanAndStd:
    if self.path is None and self._is_original:  # Table A2 of Michlo et al. 2023
      return (0.042494423521890,), (0.195166458806261,)
    return super().standardisation()

  @property
  def _is_original(self) -> bool:
    return (self.image_size, self.sizes) == (_SIDE, dsprites_rendering.SIZES)

  def _check(self) -> None:
    if self.image_size not in range(8, _SIDE + 1, 8):
      raise UserError(
        f"{type(self).__name__}.image_size is {self.image_size!r}: it must be 8, 16, "
        f"24, ... {_SIDE}"
      )
    most = dsprites_rendering.SIZES
    whole = len(self.sizes) == len(most) and all(type(s) is int for s in self.sizes)
    if not (whole and all(1 <= s <= m for s, m in zip(self.sizes, most, strict=True))):
      raise UserError(
        f"{type(self).__name__}.sizes is {self.sizes!r}: it must be five whole numbers "
        f"from 1 to those of {most}"
      )
    if self.path is not None and not self._is_original:
      raise UserError(
        f"{type(self).__name__}: the images of a file have their own image_size and "
        "sizes: omit these arguments, or path"
      )


@functools.cache
def _rendered(sizes: tuple[int, ...], side: int) -> np.ndarray:
  """Render all images as [images, bytes] uint8.

  A byte holds eight pixels, the left one in the lowest bit.
  """
  words = np.empty((*sizes, side), "<u8")
  for sprite in np.ndindex(sizes[:3]):
    words[sprite] = dsprites_rendering.render_rows(*sprite, sizes=sizes, side=side)
  packed = words.view(np.uint8).reshape(*words.shape, -1)[..., : side // 8]
  return packed.reshape(-1, side * side // 8)


@functools.cache
def _official(path: str) -> np.ndarray:
  """Read the official file as `_rendered` returns it, one block at a time."""
  count = math.prod(dsprites_rendering.SIZES)
  packed = np.empty((count, _SIDE * _SIDE // 8), np.uint8)
  with opened_array(path, "imgs") as (shape, dtype, read):
    check_array(path, "imgs", shape, dtype, expected=(count, _SIDE, _SIDE))
    for start in range(0, count, _BLOCK):
      block = packed[start : start + _BLOCK]
      bits = read(len(block)).reshape(len(block), -1)
      block[:] = np.packbits(bits, axis=1, bitorder="little")
  return packed


def _pixels_of_bytes() -> np.ndarray:
  """[256, 8] float32: the eight pixels of every byte."""
  every = np.arange(256, dtype=np.uint8)[:, None]
  return np.unpackbits(every, axis=1, bitorder="little").astype(np.float32)
