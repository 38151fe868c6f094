"""Another data set with uniform noise on every pixel: `UniformNoise`."""

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
