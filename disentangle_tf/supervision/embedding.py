"""Supervised loss: a learned position on the axis for every value of a label."""

from collections.abc import Sequence

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_positive, check_truth
from disentangle_tf.supervision.supervised_loss import SupervisedLoss
from disentangle_tf.tensor_types import Coefficient


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Embedding(SupervisedLoss):
  """Classify a label's value by the learned position that is nearest to the code.

  The loss is a cross-entropy. Value v of a label has a position e_v on its latent's
  axis and the logit -((code - e_v) * sigma)^2. Positions start evenly spaced from -1 to
  1, in the values' order, so a model is reproducible and starts the same with and
  without `use_order`.

  Args:
    gamma_sup: see `SupervisedLoss`.
    factor_sizes: see `SupervisedLoss`.
    sigma: sharpness of the classification, a number above 0, or "learn": one learned
      value per label, initially 1.
    use_order: whether positions stay evenly spaced, e_v = slope * v + bias. Otherwise
      each position is learned separately, and the values need no order.

  Reference: Locatello et al., 2020, "Disentangling Factors of Variations Using Few
  Labels".

  Example:
    >>> from disentangle_tf import supervision
    >>> loss = supervision.Embedding(1.0, (3,), sigma=4.0)
    >>> [position.numpy().tolist() for position in loss.places()]
    [[-1.0, 0.0, 1.0]]
    >>> right, wrong = float(loss([[1.0]], [[2]])), float(loss([[1.0]], [[0]]))
    >>> right < 0.001 < 10 < wrong
    True
  """

  def __init__(
    self,
    gamma_sup: Coefficient,
    factor_sizes: Sequence[int],
    *,
    sigma: float | str = "learn",
    use_order: bool = False,
  ) -> None:
    super().__init__(gamma_sup, factor_sizes)
    if sigma != "learn":
      check_positive("Embedding", sigma=sigma)
    check_truth("Embedding", use_order=use_order)
    self.sigma = sigma
    self.use_order = use_order
    sizes = np.array(self.factor_sizes)
    if use_order:
      slopes, biases = 2 / np.maximum(sizes - 1, 1), -np.ones(len(sizes))
      self._places = (_variable(slopes, "slope"), _variable(biases, "bias"))
    else:
      places = np.concatenate([np.linspace(-1, 1, size) for size in sizes])
      self._places = (_variable(places, "embedding"),)
    self._sigmas = np.full(len(sizes), 1.0 if sigma == "learn" else sigma, np.float32)
    if sigma == "learn":
      self._sigmas = _variable(self._sigmas, "sigma")

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    return (*self._places, self._sigmas) if self.sigma == "learn" else self._places

  def places(self) -> list[tf.Tensor]:
    """Positions of the values of each label: a list of float32 [values]."""
    tensors = [tf.convert_to_tensor(variable) for variable in self._places]
    if not self.use_order:
      return tf.split(tensors[0], self.factor_sizes)
    slopes, biases = tensors
    return [
      slopes[i] * tf.range(size, dtype=tf.float32) + biases[i]
      for i, size in enumerate(self.factor_sizes)
    ]

  def compare(self, codes: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    sigmas = tf.convert_to_tensor(self._sigmas)
    losses = [
      tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.cast(labels[:, i], tf.int32),
        logits=-(((codes[:, i, None] - places) * sigmas[i]) ** 2),
      )
      for i, places in enumerate(self.places())
    ]
    return tf.stack(losses, axis=1)


def _variable(values: np.ndarray, name: str) -> keras.Variable:
  return keras.Variable(values.astype(np.float32), name=name)
