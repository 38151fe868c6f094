"""Any data set with uniform noise on every pixel."""

from typing import Self

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_positive
from disentangle_tf.data.fold import fold
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_uniform, split_seed


class UniformNoise(GroundTruthData):
  """Another set's images with noise of at most `epsilon` on every pixel, drawn anew.

  The control of a manipulated set: as large a change, without a pattern. What leaves
  [0, 1] is folded back.

  Args:
    data: a `GroundTruthData` of images.
    epsilon: the largest change of a pixel, at most 1.

  Example:
    UniformNoise(Spot(), 0.1).observe([[0, 3]])

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
    """The noisy version of a set that its name alone makes.

    Args:
      name: as `--data` has it, such as "dsprites".
      epsilon: as of the class.
    """
    from disentangle_tf.data.known_sets import find_known_set

    known = find_known_set(name)
    if known.maker is not None:
      raise UserError(
        f"UniformNoise.of_set: {name} needs to be told more: set DATA = "
        "@data.UniformNoise() with data.UniformNoise.data"
      )
    return cls(known.make(), epsilon)

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    seed = observation_seed(factors) if seed is None else seed
    images = self.data.observe(factors, split_seed(seed, "images"))
    noise = random_uniform(tf.shape(images), split_seed(seed, "noise"))
    return fold(images + self.epsilon * (2.0 * noise - 1.0))
