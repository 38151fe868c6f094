"""The few labelled images of semi-supervised training, drawn once from a data set."""

from collections.abc import Callable

import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_instance, check_seed
from disentangle_tf.data.ground_truth_data import GroundTruthData
from disentangle_tf.data.labels.labellers import Labeller, perfect_labels
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_integers, stream_seed


class LabelledSet:
  """Points of a data set, drawn once, that somebody has labelled.

  Args:
    data: a `GroundTruthData`.
    num_labelled: number of points, drawn uniformly and independently.
    labeller: a function of `labellers`, or one like them.
    seed: of the points and of what a labeller leaves to chance.

  Attributes:
    factors: int32 [num_labelled, factors], the true ones.
    labels: float32 [num_labelled, labels].
    factor_sizes: tuple, the number of values of each label.

  Example:
    few = LabelledSet(XYSquares(), num_labelled=100, labeller=binned_labels)
    Batches(XYSquares(), batch_size=64, labelled_set=few)
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
    check_instance("LabelledSet", GroundTruthData, "@data.XYSquares()", data=data)
    if not callable(labeller):
      raise UserError(
        f"LabelledSet.labeller is {labeller!r}: it must be one such as "
        "@data.perfect_labels"
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
    # Seen anew each time, a labelled point would be many labelled images, not one.
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
    """(images [count, H, W, C], labels [count, labels]), drawn with replacement.

    Args:
      count: number of images.
      seed: int32 [2], see `random_streams.stream_seed`.
      share_of: takes a replica's share of what is drawn, before it is made.
    """
    index = share_of(random_integers([count], seed, self.num_labelled))
    labels = tf.gather(self.labels, index)
    if self._images is not None:
      return tf.gather(self._images, index), labels
    return self.data.observe(tf.gather(self.factors, index)), labels


def labelled_factor_sizes(labelled_set: LabelledSet) -> tuple[int, ...]:
  """The sizes of its labels, for a configuration to hand to the loss."""
  example = "@data.LabelledSet()"
  check_instance(
    "labelled_factor_sizes", LabelledSet, example, labelled_set=labelled_set
  )
  return labelled_set.factor_sizes
