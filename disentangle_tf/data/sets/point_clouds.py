"""Points in the plane: the pinwheel (Mathieu et al. 2019) and a lattice."""

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_count, check_seed, check_weight
from disentangle_tf.data.factor_space import FactorSpace, grid_index
from disentangle_tf.data.ground_truth_data import GroundTruthData, MeanAndStd
from disentangle_tf.errors import UserError


class Pinwheel(GroundTruthData):
  """Spiral arms of 2-D points, which are not images and not bounded by [0, 1].

  The factors are the arm (cluster) and the number of the point in it, which is a
  nuisance.

  Args:
    num_points: number of points in all arms together.
    num_clusters: number of arms; must divide `num_points`.
    radial_std: standard deviation along an arm before it is bent, 0 or more.
    tangential_std: standard deviation across an arm before it is bent, 0 or more.
    rate: how strongly the arms are bent, 0 or more.
    seed: integer seed of the points, which are drawn once.

  Example:
    >>> from disentangle_tf import data
    >>> pinwheel = data.Pinwheel(num_points=400, num_clusters=4)
    >>> pinwheel.factors.sizes
    (4, 100)
    >>> pinwheel.observe([[3, 0]]).shape
    TensorShape([1, 2])
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
    """Compute (mean, std) of each coordinate over the points."""
    return tuple(self._points.mean(0).tolist()), tuple(self._points.std(0).tolist())

  def _draw_points(self, rng: np.random.Generator) -> np.ndarray:
    points = rng.normal(size=(len(self), 2))
    points = points * (self.radial_std, self.tangential_std) + (1, 0)
    cluster = self.factors.to_factors(np.arange(len(self)))[:, 0]
    # Points farther out are rotated more.
    angle = 2 * np.pi * cluster / self.num_clusters + self.rate * np.exp(points[:, 0])
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y = points.T
    return np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=1)


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
