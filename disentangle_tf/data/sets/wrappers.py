"""Data sets made from another set: fewer factors, or added noise."""

import functools
from collections.abc import Sequence
from typing import Self

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_positive
from disentangle_tf.data.ground_truth_data import (
  GroundTruthData,
  ListedImages,
  MeanAndStd,
  observation_seed,
)
from disentangle_tf.data.sampling.samplers import Completion, factor_position
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_uniform, random_words, split_seed
from disentangle_tf.tensor_types import Tensor


def fold(pixels: Tensor) -> tf.Tensor:
  """Reflect values in [-1, 2] at 0 and at 1: 1 - |1 - |y||.

  Folding never increases a change: |fold(x + d) - x| <= |d| for x in [0, 1]. It uses
  additions and absolute values only, so XLA gives the same bits.
  """
  return 1.0 - tf.abs(1.0 - tf.abs(pixels))


_MOST_LISTED = 2**22  # images; a longer list of factors takes too much memory


class FactorSubset(GroundTruthData):
  """Another set's images as a function of some of its factors.

  The other factors become nuisance factors. Each observation draws them anew, uniformly
  over the existing points.

  Args:
    data: a `GroundTruthData`.
    names: names of the factors to keep, in any order.

  Example:
    >>> from disentangle_tf import data
    >>> squares = data.XYSquares()  # six factors
    >>> red = data.FactorSubset(squares, ("x_R", "y_R"))  # green and blue are random
    >>> red.factors.sizes
    (8, 8)
    >>> red.observe([[0, 3]]).shape
    TensorShape([1, 64, 64, 3])
  """

  one_image_per_point = False

  def __init__(self, data: GroundTruthData, names: Sequence[str]) -> None:
    positions = [factor_position(data.factors, name) for name in names]
    if not positions or len(set(positions)) < len(positions):
      raise UserError(f"FactorSubset: name one or more factors, each once, not {names}")
    self.data = data
    self.names = tuple(names)
    self.name = f"{data.name}_subset"
    self.observation_shape = data.observation_shape
    self.renders_on_device = data.renders_on_device
    self._positions = positions
    self._completion = Completion(data.factors, positions)
    self.factors = self._completion.given

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    factors = tf.cast(factors, tf.int32)
    seed = observation_seed(factors) if seed is None else seed
    shape = [tf.shape(factors)[0], self._completion.num_words]
    words = random_words(shape, split_seed(seed, "nuisances"))
    whole = self._completion.draw(factors, words)
    return self.data.observe(whole, split_seed(seed, "observations"))

  def listed_images(self) -> ListedImages | None:
    """List every point of the wrapped set, or every image if it has such a list."""
    return self._listed_images

  @functools.cached_property
  def _listed_images(self) -> ListedImages | None:
    listed, space = self.data.listed_images(), self.data.factors
    if listed is not None:
      values = tuple(listed.values[position] for position in self._positions)
      return ListedImages(values, listed.observe)
    if not self.data.one_image_per_point or space.num_points > _MOST_LISTED:
      return None
    points = space.to_factors(np.arange(space.num_points))
    known = tf.constant(points)
    return ListedImages(
      tuple(points[:, position] for position in self._positions),
      lambda places: self.data.observe(tf.gather(known, places)),
    )

  def standardisation(self) -> MeanAndStd:
    # Of all images of the wrapped set, not of one random image per point.
    return self.data.standardisation()


class UniformNoise(GroundTruthData):
  """Another set's images with noise of at most `epsilon` on every pixel.

  Each observation draws new noise. The set is the control of a manipulated set: its
  changes are as large, but have no pattern. Values outside [0, 1] are folded back.

  Args:
    data: a `GroundTruthData` of images.
    epsilon: the largest change of a pixel, above 0 and at most 1.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> spot = data.Spot()
    >>> noisy = data.UniformNoise(spot, 0.1)
    >>> change = noisy.observe([[0, 3]]) - spot.observe([[0, 3]])
    >>> bool(np.abs(change).max() < 0.1001)
    True

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 5.2.
  """

  one_image_per_point = False

  def __init__(self, data: GroundTruthData, epsilon: float) -> None:
    check_positive("UniformNoise", epsilon=epsilon)
    if epsilon > 1:
      raise UserError(f"UniformNoise.epsilon is {epsilon!r}: it must be at most 1")
    self.data = data
    self.epsilon = epsilon
    self.name = f"{data.name}_noise"
    self.factors = data.factors
    self.has_factors = data.has_factors
    self.observation_shape = data.observation_shape
    self.renders_on_device = data.renders_on_device

  @classmethod
  def of_set(cls, name: str, epsilon: float) -> Self:
    """Make the noisy version of a known set.

    Args:
      name: a name of `KNOWN_SETS`, such as "dsprites".
      epsilon: as for the class.

    Returns:
      The `UniformNoise` set.
    """
    from disentangle_tf.data.known_sets import find_known_set

    known = find_known_set(name)
    if known.maker is not None:
      raise UserError(
        f"UniformNoise.of_set: {name} needs more arguments than its name: use "
        "data.UniformNoise, with the set as its argument data"
      )
    return cls(known.make(), epsilon)

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    seed = observation_seed(factors) if seed is None else seed
    images = self.data.observe(factors, split_seed(seed, "images"))
    noise = random_uniform(tf.shape(images), split_seed(seed, "noise"))
    return fold(images + self.epsilon * (2.0 * noise - 1.0))
