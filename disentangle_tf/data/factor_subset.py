"""A data set with only some factors of another one: `FactorSubset`."""

import functools
from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.data.ground_truth_data import GroundTruthData, MeanAndStd
from disentangle_tf.data.listed_images import ListedImages
from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.data.sampling.completion import Completion
from disentangle_tf.data.sampling.samplers import factor_position
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_words, split_seed

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
