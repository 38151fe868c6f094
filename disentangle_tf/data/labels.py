"""Data sets with labels for some images, and functions that make the labels."""

from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import (
  check_count,
  check_instance,
  check_seed,
  check_share,
)
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_integers, stream_seed

# (factors [points, factors], sizes, rng) -> (labels [points, labels], their sizes)
Labeller = Callable[..., tuple[np.ndarray, Sequence[int]]]


def perfect_labels(
  factors: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Label points with the true factors.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`, not used.

  Returns:
    (labels [points, factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.perfect_labels(factors, (3, 10), rng)
    >>> labels
    array([[0, 3],
           [2, 9]])
  """
  del rng
  return np.array(factors), tuple(sizes)


def binned_labels(
  factors: np.ndarray,
  sizes: Sequence[int],
  rng: np.random.Generator,
  *,
  num_bins: int = 5,
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Label points with coarse values of the factors.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`, not used.
    num_bins: a factor with more values is divided into this number of equal bins.

  Returns:
    (labels [points, factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.binned_labels(factors, (3, 10), rng, num_bins=5)
    >>> labels
    array([[0, 1],
           [2, 4]])
    >>> sizes
    (3, 5)
  """
  del rng
  check_count("binned_labels", num_bins=num_bins)
  fewer = np.minimum(sizes, num_bins)
  # In whole numbers, so that rounding moves no value into another bin.
  return np.asarray(factors) * fewer // sizes, tuple(fewer.tolist())


def noisy_labels(
  factors: np.ndarray,
  sizes: Sequence[int],
  rng: np.random.Generator,
  *,
  prob_random: float = 0.1,
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Label points with the factors, of which some are replaced by random values.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`.
    prob_random: probability, 0 to 1, that a label is drawn at random. A random label
      may be the true one.

  Returns:
    (labels [points, factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.noisy_labels(factors, (3, 10), rng, prob_random=0.5)
    >>> labels.shape
    (2, 2)
  """
  check_share("noisy_labels", prob_random=prob_random)
  shape = np.shape(factors)
  random = rng.random(shape) < prob_random
  return np.where(random, rng.integers(sizes, size=shape), factors), tuple(sizes)


def permuted_labels(
  factors: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Label points with the factors, whose values are renumbered at random.

  The order of the labels then has no meaning.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`.

  Returns:
    (labels [points, factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.permuted_labels(factors, (3, 10), rng)
    >>> sizes
    (3, 10)
  """
  permutations = [rng.permutation(size) for size in sizes]
  columns = zip(permutations, np.transpose(factors), strict=True)
  renamed = [permutation[column] for permutation, column in columns]
  return np.stack(renamed, axis=1), tuple(sizes)


def partial_labels(
  factors: np.ndarray,
  sizes: Sequence[int],
  rng: np.random.Generator,
  *,
  num_observed_factors: int = 2,
) -> tuple[np.ndarray, tuple[int, ...]]:
  """Label points with some of the factors, chosen at random, in their order.

  Args:
    factors: [points, factors] true factors.
    sizes: the number of values of each factor.
    rng: a `numpy.random.Generator`.
    num_observed_factors: number of factors to keep, at most all.

  Returns:
    (labels [points, num_observed_factors], tuple of their numbers of values).

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import data
    >>> factors = np.array([[0, 3], [2, 9]])
    >>> rng = np.random.default_rng(0)
    >>> labels, sizes = data.partial_labels(
    ...   factors, (3, 10), rng, num_observed_factors=1
    ... )
    >>> labels.shape
    (2, 1)
  """
  check_count("partial_labels", num_observed_factors=num_observed_factors)
  if num_observed_factors > len(sizes):
    raise UserError(
      f"partial_labels.num_observed_factors is {num_observed_factors}: there are only "
      f"{len(sizes)} factors"
    )
  kept = np.sort(rng.choice(len(sizes), num_observed_factors, replace=False))
  return np.asarray(factors)[:, kept], tuple(sizes[i] for i in kept)


class LabelledSet:
  """Labelled points of a data set, drawn once.

  Args:
    data: a `GroundTruthData` with known factors.
    num_labelled: number of points, drawn uniformly and independently.
    labeller: such as `perfect_labels` or `noisy_labels`: a function (factors [points,
      factors], sizes, rng) -> (labels [points, labels], their sizes).
    seed: integer; determines the points and the random choices of the labeller.

  Attributes:
    factors: int32 [num_labelled, factors], the true factors.
    labels: float32 [num_labelled, labels].
    factor_sizes: tuple, the number of values of each label.

  Example:
    >>> from disentangle_tf import data
    >>> squares = data.XYSquares()
    >>> few = data.LabelledSet(squares, num_labelled=100, labeller=data.binned_labels)
    >>> few.labels.shape
    (100, 6)
    >>> few.factor_sizes
    (5, 5, 5, 5, 5, 5)
    >>> batches = data.Batches(squares, batch_size=64, labelled_set=few)
    >>> images, (labelled_images, labels) = batches.make(step=0)
    >>> labels.shape
    TensorShape([64, 6])
  """

  def __init__(
    self,
    data: GroundTruthData,
    *,
    num_labelled: int = 1000,
    labeller: Labeller = perfect_labels,
    seed: int = 0,
  ) -> None:
    check_count("LabelledSet", num_labelled=num_labelled)
    check_seed("LabelledSet", seed=seed)
    check_instance("LabelledSet", GroundTruthData, "data.XYSquares()", data=data)
    if not callable(labeller):
      raise UserError(
        f"LabelledSet.labeller is {labeller!r}: it must be a function such as "
        "data.perfect_labels"
      )
    if not data.has_factors:
      raise UserError(f"{data.name} has no labels: choose a set with known factors")
    self.data = data
    self.num_labelled = num_labelled
    self.labeller = labeller
    self.seed = seed
    rng = np.random.default_rng(seed)
    self.factors = data.factors.draw(num_labelled, rng)
    labels, sizes = labeller(self.factors, data.factors.sizes, rng)
    self.labels = np.asarray(labels, np.float32)
    self.factor_sizes = tuple(int(size) for size in sizes)
    # Otherwise a labelled point would have many images, and all would be labelled.
    self._images = (
      None
      if data.one_image_per_point
      else data.observe(self.factors, stream_seed(seed, "labelled_observations"))
    )

  def make(
    self,
    count: int,
    seed: tf.Tensor,
    *,
    share_of: Callable[[tf.Tensor], tf.Tensor] = lambda drawn: drawn,
  ) -> tuple[tf.Tensor, tf.Tensor]:
    """Draw labelled images with replacement.

    Args:
      count: number of images.
      seed: int32 [2] tensor.
      share_of: function that picks a replica's share of the drawn indices, so that only
        its images are made.

    Returns:
      (images [count, H, W, C], labels [count, labels]).
    """
    index = share_of(random_integers([count], seed, self.num_labelled))
    labels = tf.gather(self.labels, index)
    if self._images is not None:
      return tf.gather(self._images, index), labels
    return self.data.observe(tf.gather(self.factors, index)), labels


def labelled_factor_sizes(labelled_set: LabelledSet) -> tuple[int, ...]:
  """Return the number of values of each label, for configurations of losses.

  Args:
    labelled_set: a `LabelledSet`.

  Returns:
    Tuple of integers.

  Example:
    >>> from disentangle_tf import data
    >>> few = data.LabelledSet(data.Spot(), num_labelled=10)
    >>> data.labelled_factor_sizes(few)
    (13, 13)
  """
  example = "data.LabelledSet(...)"
  check_instance(
    "labelled_factor_sizes", LabelledSet, example, labelled_set=labelled_set
  )
  return labelled_set.factor_sizes
