"""Base class of color-, noisy- and scream-dSprites, whose colours are random.

Locatello et al. 2019, "Challenging Common Assumptions", appendix D.
"""

import abc

from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.observation_seed import observation_seed
from disentangle_tf.data.sets.dsprites import DSprites


class PaintedDSprites(DSprites):
  """dSprites with colours that are left to chance; a subclass defines `paint`.

  Args:
    path, image_size, sizes: see `DSprites`.
  """

  one_image_per_point = False

  def __init__(self, *, path=None, image_size=64, sizes=None):
    super().__init__(path=path, image_size=image_size, sizes=sizes)
    self.observation_shape = (*self.observation_shape[:2], 3)

  @abc.abstractmethod
  def paint(self, sprites, seed):
    """Images [points, side, side, 3] from white sprites [.., 1] and a seed."""

  def observe(self, factors, seed=None):
    seed = observation_seed(factors) if seed is None else seed
    return self.paint(super().observe(factors), seed)

  def standardisation(self):
    # Measured: the constants of `DSprites` are those of white sprites on black.
    return GroundTruthData.standardisation(self)
