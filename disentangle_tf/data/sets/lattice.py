"""Lattice: square clusters of points in the plane."""

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_seed
from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.data.grid_index import grid_index
from disentangle_tf.data.ground_truth_data import GroundTruthData, MeanAndStd

_SIDE = 0.3  # of a cluster
_MISSING = ((-2, 2), (2, -2))


class Lattice(GroundTruthData):
  """Uniform square clusters of 2-D points on a 5 x 5 lattice without two corners.

  The principal directions of all points are the diagonals, those of each cluster are
  the axes. A linear VAE finds the former, a nonlinear one the latter (Zietlow et al.
  2021, figure 1). The factors are the cluster (23 values) and the number of the point
  in it, which is a nuisance. The points are not images.

  Args:
    points_per_cluster: number of points in each cluster.
    seed: integer seed of the points, which are drawn once.

  Example:
    >>> from disentangle_tf import data
    >>> lattice = data.Lattice(points_per_cluster=100)
    >>> len(lattice)
    2300
    >>> lattice.observe([[0, 0], [22, 99]]).shape
    TensorShape([2, 2])

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures".
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
    """Compute (mean, std) of each coordinate over the points."""
    return tuple(self._points.mean(0).tolist()), tuple(self._points.std(0).tolist())


def _centre(cell: tuple[int, ...]) -> tuple[int, int]:
  return cell[0] - 2, cell[1] - 2
