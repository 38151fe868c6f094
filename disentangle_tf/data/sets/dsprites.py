"""dSprites: a square, an ellipse or a heart, rendered rather than downloaded.

Matthey, Higgins, Hassabis & Lerchner 2017, "dSprites: Disentanglement testing Sprites
dataset".
"""

import functools
import math

import numpy as np
import tensorflow as tf

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.files.official_reading import check_array, opened_array
from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.sets import dsprites_geometry

_SIDE = 64
_BLOCK = 8192  # images of the official file in memory at a time


class DSprites(GroundTruthData):
  """737,280 binary images of 64x64: a square, an ellipse or a heart.

  Rendered from geometry that was inferred from real images, see `dsprites_geometry`:
  of 46,080 real images 46,074 come out bit for bit, the others differ in one pixel.
  Rendering the whole set takes a few seconds, hardly more than reading it from a disk,
  so it is kept in memory only: one bit per pixel, 377 MB, shared by all instances.

  Args:
    path: the official npz file, to take the images from there instead.

  Example:
    DSprites().observe([[2, 5, 0, 15, 15]])  # a large heart in the middle
  """

  name = "dsprites"

  def __init__(self, *, path=None):
    self.path = path
    names = ("shape", "scale", "orientation", "position_x", "position_y")
    self.factors = FactorSpace(names, dsprites_geometry.SIZES)
    self.observation_shape = (_SIDE, _SIDE, 1)
    self._packed = _rendered() if path is None else _official(str(path))

  def observe(self, factors, seed=None):
    del seed
    index = grid_index(self.factors, factors)
    packed = tf.numpy_function(self._packed.__getitem__, [index], tf.uint8)
    pixels = tf.gather(_pixels_of_bytes(), tf.cast(packed, tf.int32))
    return tf.reshape(pixels, [-1, _SIDE, _SIDE, 1])

  def standardisation(self):
    if self.path is None:  # Table A2 of Michlo et al. 2023
      return (0.042494423521890,), (0.195166458806261,)
    return super().standardisation()


@functools.cache
def _rendered():
  """[images, 512] uint8, eight pixels per byte, the left one in the lowest bit."""
  sprites, positions = dsprites_geometry.SIZES[:3], dsprites_geometry.SIZES[3:]
  words = np.empty((*sprites, *positions, _SIDE), "<u8")
  for sprite in np.ndindex(sprites):
    words[sprite] = dsprites_geometry.render_rows(*sprite)
  return words.view(np.uint8).reshape(-1, _SIDE * _SIDE // 8)


@functools.cache
def _official(path):
  """The same from the official file, read a block at a time."""
  count = math.prod(dsprites_geometry.SIZES)
  packed = np.empty((count, _SIDE * _SIDE // 8), np.uint8)
  with opened_array(path, "imgs") as (shape, dtype, read):
    check_array(path, "imgs", shape, dtype, expected=(count, _SIDE, _SIDE))
    for start in range(0, count, _BLOCK):
      block = packed[start : start + _BLOCK]
      bits = read(len(block)).reshape(len(block), -1)
      block[:] = np.packbits(bits, axis=1, bitorder="little")
  return packed


def _pixels_of_bytes():
  """[256, 8] float32: the eight pixels of every byte."""
  every = np.arange(256, dtype=np.uint8)[:, None]
  return np.unpackbits(every, axis=1, bitorder="little").astype(np.float32)
