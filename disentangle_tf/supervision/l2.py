"""Supervised loss: squared error between codes and labels."""

from collections.abc import Sequence

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_truth
from disentangle_tf.supervision.supervised_loss import SupervisedLoss
from disentangle_tf.tensor_types import Coefficient


@keras.saving.register_keras_serializable(package="disentangle_tf")
class L2(SupervisedLoss):
  """Squared error between codes and labels.

  Args:
    gamma_sup: see `SupervisedLoss`.
    factor_sizes: see `SupervisedLoss`.
    learn_scale: whether to compare b * code with the label as it is; b is one learned
      scale, initially 1. Otherwise the sigmoid of a code is compared with the label
      divided by its greatest value.

  Attributes:
    scale: b, a `keras.Variable`, or None.

  Reference: Locatello et al., 2020, "Disentangling Factors of Variations Using Few
  Labels".

  Example:
    >>> from disentangle_tf import supervision
    >>> loss = supervision.L2(1.0, (4, 4))
    >>> float(loss([[1.0, 2.0, 9.0]], [[1, 3]]))  # the third latent has no label
    1.0
  """

  def __init__(
    self,
    gamma_sup: Coefficient,
    factor_sizes: Sequence[int],
    *,
    learn_scale: bool = True,
  ) -> None:
    super().__init__(gamma_sup, factor_sizes)
    check_truth("L2", learn_scale=learn_scale)
    self.learn_scale = learn_scale
    self.scale = keras.Variable(1.0, name="scale") if learn_scale else None

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    return () if self.scale is None else (self.scale,)

  def compare(self, codes: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    if self.scale is not None:
      return tf.math.squared_difference(codes * self.scale, labels)
    return tf.math.squared_difference(tf.sigmoid(codes), self.normalise(labels))
