"""The few labelled images of semi-supervised training: `LabelledSet`."""

from collections.abc import Callable

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_instance, check_seed
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.labels.labellers import Labeller, perfect_labels
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_integers, stream_seed


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
