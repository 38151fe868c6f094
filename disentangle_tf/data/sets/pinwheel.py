"""Pinwheel: points in the plane that form spiral arms.

Johnson et al. 2016, "Composing graphical models with neural networks for structured
representations and fast inference"; as used by Mathieu et al. 2019, "Disentangling
Disentanglement in Variational Autoencoders", section 6.
"""

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_seed, check_weight
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.data.ground_truth_data import GroundTruthData, MeanAndStd
from disentangle_tf.errors import UserError


class Pinwheel(GroundTruthData):
  """Spiral arms of 2-D points; not images, and not bounded by [0, 1].

  Factors are the arm (cluster) and the point's number within it, which is a nuisance.

  Args:
    num_points: points in all arms together.
    num_clusters: arms; must divide `num_points`.
    radial_std, tangential_std: spread along and across an arm, before it is bent.
    rate: how strongly arms are bent.
    seed: of the points, which are drawn once.
  """

  name = "pinwheel"
  renders_on_device = True

  def __init__(
    self,
    *,
    num_points: int = 400,
    num_clusters: int = 4,
    radial_std: float = 0.1,
    tangential_std: float = 0.3,
    rate: float = 0.25,
    seed: int = 0,
  ) -> None:
    check_count("Pinwheel", num_points=num_points, num_clusters=num_clusters)
    if num_points % num_clusters:
      raise UserError(
        f"Pinwheel.num_points is {num_points}: it must be a multiple of num_clusters, "
        f"{num_clusters}"
      )
    check_weight("Pinwheel", radial_std=radial_std, tangential_std=tangential_std)
    check_weight("Pinwheel", rate=rate)
    check_seed("Pinwheel", seed=seed)
    self.num_points = num_points
    self.num_clusters = num_clusters
    self.radial_std = radial_std
    self.tangential_std = tangential_std
    self.rate = rate
    self.seed = seed
    sizes = (num_clusters, num_points // num_clusters)
    self.factors = FactorSpace(("cluster", "point"), sizes)
    self.observation_shape = (2,)
    self._points = self._draw_points(np.random.default_rng(seed)).astype(np.float32)

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    del seed
    return tf.gather(tf.constant(self._points), grid_index(self.factors, factors))

  def standardisation(self) -> MeanAndStd:
    """(mean, std) of each coordinate over the points."""
    return tuple(self._points.mean(0).tolist()), tuple(self._points.std(0).tolist())

  def _draw_points(self, rng: np.random.Generator) -> np.ndarray:
    points = rng.normal(size=(len(self), 2))
    points = points * (self.radial_std, self.tangential_std) + (1, 0)
    cluster = self.factors.to_factors(np.arange(len(self)))[:, 0]
    # The further out, the further round.
    angle = 2 * np.pi * cluster / self.num_clusters + self.rate * np.exp(points[:, 0])
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y = points.T
    return np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=1)
