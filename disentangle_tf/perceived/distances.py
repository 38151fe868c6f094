"""Perceived distances between images, and along a factor."""

from collections.abc import Callable, Iterator

import numpy as np
import tensorflow as tf

from disentangle_tf.data import GroundTruthData
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.perceived.traversals import ExistingTraversals
from disentangle_tf.tensor_float_32 import tensor_float_32


def pairwise_distances(
  loss: ReconstructionLoss, images: tf.Tensor | np.ndarray
) -> tf.Tensor:
  """Mean over pixels of the loss between every two images.

  Losses that are sums of squares cost one matrix product; others are computed row by
  row. Works on any device and inside a `tf.function`.

  Args:
    loss: a `losses.ReconstructionLoss`.
    images: `[N, height, width, channels]` in [0, 1].

  Returns:
    `[N, N]` float32 tensor, 0 or more for a distance such as the MSE.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, perceived
    >>> images = np.stack([np.zeros((2, 2, 1)), np.ones((2, 2, 1))])  # black and white
    >>> perceived.pairwise_distances(losses.MSE(), images).numpy()
    array([[0., 1.],
           [1., 0.]], dtype=float32)
  """
  images = tf.convert_to_tensor(images, tf.float32)
  maps = loss.squared_maps()
  if maps:
    return tf.add_n([weight * _squared(apply(images)) for weight, apply in maps])

  def distances_to(image: tf.Tensor) -> tf.Tensor:
    return loss.mean_distance(images, tf.broadcast_to(image, tf.shape(images)))

  rows = tf.map_fn(distances_to, images, fn_output_signature=tf.float32)
  return tf.transpose(rows)  # the first image of a pair is the target


def _squared(mapped: tf.Tensor) -> tf.Tensor:
  """Mean squared differences of every two rows."""
  rows = tf.reshape(mapped, [tf.shape(mapped)[0], -1])
  # Centred, so that the subtraction below loses less precision.
  rows -= tf.reduce_mean(rows, axis=0)
  squares = tf.reduce_sum(rows**2, axis=1)
  products = tf.matmul(rows, rows, transpose_b=True)
  distances = tf.maximum(squares[:, None] + squares - 2 * products, 0.0)
  distances = tf.linalg.set_diag(distances, tf.zeros_like(squares))
  return distances / tf.cast(tf.shape(rows)[1], tf.float32)


def distance_matrix(
  data: GroundTruthData,
  loss: ReconstructionLoss,
  factor: int,
  *,
  num_traversals: int = 64,
  rng: int | np.random.Generator = 0,
) -> np.ndarray:
  """Mean perceived distance between every two values of a factor.

  Args:
    data: a `GroundTruthData` that has factors.
    loss: a `losses.ReconstructionLoss`, applied to plain images in [0, 1].
    factor: position of the factor.
    num_traversals: random traversals to average over.
    rng: seed or `numpy.random.Generator` that draws them.

  Returns:
    `[values, values]` array, 0 or more: the mean over pixels of the loss, averaged over
    traversals. NaN for two values that share no drawn traversal, if not all
    combinations exist.

  Example:
    >>> from disentangle_tf import data, losses, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)  # 3 x 3 places
    >>> perceived.distance_matrix(squares, losses.MSE(), factor=0).round(3)
    array([[0.   , 0.222, 0.222],
           [0.222, 0.   , 0.222],
           [0.222, 0.222, 0.   ]])
  """
  matrices = traversal_distances(data, loss, factor, num_traversals, rng)
  return mean_distances(list(matrices))


def distance_matrices(
  data: GroundTruthData,
  loss: ReconstructionLoss,
  *,
  num_traversals: int = 64,
  rng: int | np.random.Generator = 0,
) -> list[np.ndarray]:
  """Mean perceived distances between every two values, for each factor.

  Args:
    data, loss, num_traversals, rng: see `distance_matrix`.

  Returns:
    List of `[values, values]` arrays, one per factor.

  Example:
    >>> from disentangle_tf import data, losses, perceived
    >>> squares = data.XYSquares(num_squares=1, image_size=24)
    >>> [m.shape for m in perceived.distance_matrices(squares, losses.MSE())]
    [(3, 3), (3, 3)]
  """
  return [
    distance_matrix(data, loss, factor, num_traversals=num_traversals, rng=rng)
    for factor in range(len(data.factors))
  ]


def mean_distances(matrices: np.ndarray | list[np.ndarray]) -> np.ndarray:
  """Mean over `[traversals, values, values]`, ignoring NaNs; NaN if all are."""
  matrices = np.asarray(matrices, np.float64)
  known = np.isfinite(matrices)
  count = known.sum(axis=0)
  total = np.where(known, matrices, 0.0).sum(axis=0)
  return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def true_distances(size: int) -> np.ndarray:
  """Steps between every two values of a factor: `[size, size]`."""
  values = np.arange(size)
  return np.abs(values[:, None] - values)


def traversal_distances(
  data: GroundTruthData,
  loss: ReconstructionLoss,
  factor: int,
  num_traversals: int,
  rng: int | np.random.Generator,
) -> Iterator[np.ndarray]:
  """Yield the distances `[values, values]` within each of several random traversals.

  Values that a traversal lacks, because not all combinations exist, are NaN.
  """
  rng = np.random.default_rng(rng)
  measure = group_distances(data, loss)
  traversals = ExistingTraversals(data.factors, factor)
  for start in traversals.draw_starts(num_traversals, rng):
    points, values = traversals.walk(start)
    yield at_values(measure(points), values, data.factors.sizes[factor])


def at_values(distances: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
  """Distances between some values of a factor, placed in a matrix of all values."""
  if len(values) == size:
    return distances
  placed = np.full((size, size), np.nan)
  placed[np.ix_(values, values)] = distances
  return placed


def code_distances(codes: np.ndarray) -> np.ndarray:
  """Euclidean distances between every two codes `[N, latents]`: `[N, N]`."""
  from scipy.spatial import distance

  return distance.cdist(codes, codes)


def group_distances(
  data: GroundTruthData, loss: ReconstructionLoss
) -> Callable[[np.ndarray], np.ndarray]:
  """Function from points `[N, factors]` to the distances of their images `[N, N]`."""

  @tf.function(reduce_retracing=True)
  def measure(points: tf.Tensor) -> tf.Tensor:
    return pairwise_distances(loss, data.observe(points))

  @tensor_float_32(False)
  def distances(points: np.ndarray) -> np.ndarray:
    return measure(tf.constant(points)).numpy()

  return distances
