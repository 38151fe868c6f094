"""`SupervisedLoss`, the base class of losses between codes and labels."""

from __future__ import annotations

import abc
from collections.abc import Sequence

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import (
  check_coefficient,
  check_count,
  check_list,
  init_arguments,
)
from disentangle_tf.errors import UserError
from disentangle_tf.tensor_types import Coefficient, Tensor


class SupervisedLoss(abc.ABC):
  """Base class of losses that make latent i represent label i.

  Latents beyond the labels are ignored. The loss is summed over labels and averaged
  over the batch. disentanglement_lib sums `L2` and `CrossEntropy` over the batch, so
  its gamma_sup times its batch size of 64 corresponds to gamma_sup here.

  A subclass defines `compare`.

  Args:
    gamma_sup: weight that the model gives the loss, a number from 0 up or a schedule.
    factor_sizes: number of values of each label (`data.labelled_factor_sizes`).

  Attributes:
    needs_whole_batch: whether the loss compares images of the batch with each other, so
      that it needs the images of all replicas.
    variables: tuple of Keras variables that the model trains.

  Reference: Locatello et al., 2020, "Disentangling Factors of Variations Using Few
  Labels".

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import supervision
    >>> class L1(supervision.SupervisedLoss):
    ...   def compare(self, codes, labels):
    ...     return tf.abs(codes - labels)
    >>> float(L1(1.0, (4, 4))([[1.0, 2.0]], [[1, 3]]))
    1.0
  """

  needs_whole_batch = False

  def __init__(self, gamma_sup: Coefficient, factor_sizes: Sequence[int]) -> None:
    name = type(self).__name__
    check_coefficient(name, gamma_sup=gamma_sup)
    check_list(name, check_count, factor_sizes=factor_sizes)
    self.gamma_sup = gamma_sup
    self.factor_sizes = tuple(int(size) for size in factor_sizes)

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    """Keras variables that the model trains."""
    return ()

  def __call__(self, codes: Tensor | Sequence, labels: Tensor | Sequence) -> tf.Tensor:
    """Compute the loss of a batch.

    Args:
      codes: [batch, latents].
      labels: [batch, labels], whole numbers from 0 up, of any dtype.

    Returns:
      A float32 scalar.
    """
    codes, labels = tf.cast(codes, tf.float32), tf.cast(labels, tf.float32)
    values = self.compare(codes[:, : len(self.factor_sizes)], labels)
    return tf.reduce_sum(tf.reduce_mean(values, axis=0))

  @abc.abstractmethod
  def compare(self, codes: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    """Loss per point and label: [batch, labels], from two float32 [batch, labels].

    A loss of the batch as a whole returns [1, labels].
    """
    raise NotImplementedError

  def normalise(self, labels: tf.Tensor) -> tf.Tensor:
    """Scale labels to [0, 1]; disentanglement_lib's scaling never reaches 1."""
    greatest = np.maximum(np.subtract(self.factor_sizes, 1), 1)
    return labels / greatest.astype(np.float32)

  def check_labels(self, num_factors: int, latents: int) -> None:
    """Raise a `UserError` unless the loss fits these numbers of labels and latents."""
    name, own = type(self).__name__, len(self.factor_sizes)
    if num_factors != own:
      raise UserError(
        f"{name}.factor_sizes has {own} sizes, the labelled images have {num_factors} "
        "labels: set it to data.labelled_factor_sizes(labelled_set)"
      )
    if own > latents:
      raise UserError(
        f"{name} needs a latent for each of the {own} labels, the model has {latents}: "
        "use more latents, or label fewer factors with data.partial_labels"
      )

  def get_config(self) -> dict:
    config = {**init_arguments(self), "factor_sizes": list(self.factor_sizes)}
    config["gamma_sup"] = keras.saving.serialize_keras_object(self.gamma_sup)
    return config

  @classmethod
  def from_config(cls, config: dict) -> SupervisedLoss:
    gamma_sup = keras.saving.deserialize_keras_object(config["gamma_sup"])
    return cls(**{**config, "gamma_sup": gamma_sup})
