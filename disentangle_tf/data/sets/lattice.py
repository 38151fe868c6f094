"""Lattice: square clusters of points, whose local and global directions differ."""

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_seed
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.data.ground_truth_data import GroundTruthData, MeanAndStd

_SIDE = 0.3  # of a cluster
_MISSING = ((-2, 2), (2, -2))


class Lattice(GroundTruthData):
  """Uniform square clusters on a 5 x 5 lattice without two opposite corners; no images.

  Principal directions of all points lie at 45 and 135 degrees, those of its clusters
  along the axes: a linear VAE finds the former, a nonlinear one the latter (Zietlow et
  al. 2021, figure 1). Factors are the cluster (23) and the point's number in it, which
  is a nuisance.

  Args:
    points_per_cluster: 100 for 2,300 points.
    seed: of the points, which are drawn once.
  """

  name = "lattice"
  renders_on_device = True

  def __init__(self, *, points_per_cluster: int = 100, seed: int = 0) -> None:
    check_count("Lattice", points_per_cluster=points_per_cluster)
    check_seed("Lattice", seed=seed)
    self.points_per_cluster = points_per_cluster
    self.seed = seed
    cells = [cell for cell in np.ndindex(5, 5) if _centre(cell) not in _MISSING]
    self.factors = FactorSpace(("cluster", "point"), (len(cells), points_per_cluster))
    self.observation_shape = (2,)
    centres = np.repeat([_centre(cell) for cell in cells], points_per_cluster, axis=0)
    offsets = np.random.default_rng(seed).uniform(-0.5, 0.5, centres.shape)
    self._points = (centres + _SIDE * offsets).astype(np.float32)

  def observe(
    self, factors: np.ndarray | tf.Tensor, seed: tf.Tensor | None = None
  ) -> tf.Tensor:
    del seed
    return tf.gather(tf.constant(self._points), grid_index(self.factors, factors))

  def standardisation(self) -> MeanAndStd:
    """(mean, std) of each coordinate over the points."""
    return tuple(self._points.mean(0).tolist()), tuple(self._points.std(0).tolist())


def _centre(cell: tuple[int, ...]) -> tuple[int, int]:
  return cell[0] - 2, cell[1] - 2
