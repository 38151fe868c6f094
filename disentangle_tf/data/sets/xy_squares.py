"""XYSquares: squares on a grid, adversarial to pixel-wise losses.

Michlo, Klein & James 2023, "Overlooked Implications of the Reconstruction Loss for VAE
Disentanglement", sections 5.1 and 5.4.
"""

import itertools
import math

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_choice, check_count, check_truth
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.ground_truth_data import GroundTruthData, MeanAndStd
from disentangle_tf.errors import UserError

_COLOURS = "RGB"


class XYSquares(GroundTruthData):
  """Squares that move over a grid, one channel each, drawn on the device.

  Every axis has image_size // square_size grid positions. With
  grid_spacing = square_size no two positions share a pixel, so a pixel-wise loss is the
  same for every move along a factor. With smaller spacings positions overlap. The range
  of the squares is centred in the image.

  Args:
    grid_spacing: pixels between neighbouring positions, 1 to square_size.
    num_squares: 1 to 3. The factors are x_R, y_R, then x_G, y_G, then x_B, y_B.
    image_size: height and width of the image in pixels.
    square_size: height and width of a square in pixels.
    grey: one channel for all squares. Squares then merge where they meet, and look
      alike, so the image does not determine the factors.

  Raises:
    UserError: an argument is out of range.

  Example:
    >>> from disentangle_tf import data
    >>> squares = data.XYSquares()  # as in the paper
    >>> len(squares)
    262144
    >>> squares.observe([[0, 3, 1, 1, 7, 7]]).shape
    TensorShape([1, 64, 64, 3])
  """

  name = "xysquares"
  renders_on_device = True

  def __init__(
    self,
    *,
    grid_spacing: int = 8,
    num_squares: int = 3,
    image_size: int = 64,
    square_size: int = 8,
    grey: bool = False,
  ) -> None:
    check_count(
      "XYSquares",
      grid_spacing=grid_spacing,
      num_squares=num_squares,
      image_size=image_size,
      square_size=square_size,
    )
    check_truth("XYSquares", grey=grey)
    check_choice("XYSquares", (1, 2, 3), num_squares=num_squares)
    if not 1 <= square_size <= image_size:
      raise UserError(
        f"XYSquares: square_size is {square_size}, must be 1 to image_size {image_size}"
      )
    if not 1 <= grid_spacing <= square_size:
      raise UserError(
        f"XYSquares: grid_spacing is {grid_spacing}, must be 1 to square_size "
        f"{square_size}"
      )
    self.grid_spacing = grid_spacing
    self.num_squares = num_squares
    self.image_size = image_size
    self.square_size = square_size
    self.grey = grey
    grid_size = image_size // square_size
    occupied = square_size + (grid_size - 1) * grid_spacing
    self.offset = (image_size - occupied) // 2
    names = [f"{axis}_{colour}" for colour in _COLOURS[:num_squares] for axis in "xy"]
    self.factors = FactorSpace(names, [grid_size] * len(names))
    self.observation_shape = (image_size, image_size, 1 if grey else num_squares)

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    del seed
    corners = self.offset + self.grid_spacing * tf.cast(factors, tf.int32)
    columns = self._covered(corners[:, 0::2])
    rows = self._covered(corners[:, 1::2])
    # A row of pixels shows some of the squares. The lines of all subsets are made once
    # and gathered: a third of the time of a product of rows and columns.
    subsets = np.array(list(itertools.product((0, 1), repeat=self.num_squares)))
    lines = columns[:, None] * subsets[:, None].astype(np.float32)
    if self.grey:
      lines = tf.reduce_max(lines, axis=-1, keepdims=True)
    places = 2 ** np.arange(self.num_squares)[::-1]
    shown = tf.reduce_sum(tf.cast(rows, tf.int32) * places.astype(np.int32), axis=-1)
    return tf.gather(lines, shown, batch_dims=1)

  def standardisation(self) -> MeanAndStd:
    if self.grey:
      return super().standardisation()
    pixels = self.image_size**2
    mean = self.square_size**2 / pixels
    std = math.sqrt(mean * (1 - mean) * pixels / max(pixels - 1, 1))
    return (mean,) * self.num_squares, (std,) * self.num_squares

  def _covered(self, corners: tf.Tensor) -> tf.Tensor:
    """Mark pixels within squares: corners [N, S] -> [N, image_size, S]."""
    distance = tf.range(self.image_size)[None, :, None] - corners[:, None, :]
    return tf.cast((distance >= 0) & (distance < self.square_size), tf.float32)
