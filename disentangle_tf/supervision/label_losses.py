"""Losses between codes and labels: L2, cross-entropy, covariance, embedding."""

from collections.abc import Sequence

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import check_positive, check_truth
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


@keras.saving.register_keras_serializable(package="disentangle_tf")
class CrossEntropy(SupervisedLoss):
  """Cross-entropy of codes, as logits, with labels scaled to [0, 1].

  Labels are divided by their greatest value. The minimum, which is above 0 for labels
  strictly between 0 and 1, is where the sigmoid of a code equals the scaled label.

  Args:
    gamma_sup: see `SupervisedLoss`.
    factor_sizes: see `SupervisedLoss`.

  Reference: Locatello et al., 2020, "Disentangling Factors of Variations Using Few
  Labels".

  Example:
    >>> from disentangle_tf import supervision
    >>> loss = supervision.CrossEntropy(1.0, (2,))
    >>> round(float(loss([[0.0], [0.0]], [[0], [1]])), 3)  # log 2
    0.693
  """

  def compare(self, codes: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    return tf.nn.sigmoid_cross_entropy_with_logits(
      logits=codes, labels=self.normalise(labels)
    )


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Covariance(SupervisedLoss):
  """Sum of the squared covariances of each latent with the labels of other latents.

  Covariances are taken over the batch, with labels as they are. The covariance of a
  latent with its own label is not penalised. Unlike disentanglement_lib, latents
  without a label are ignored.

  Args:
    gamma_sup: see `SupervisedLoss`.
    factor_sizes: see `SupervisedLoss`.

  Reference: Locatello et al., 2020, "Disentangling Factors of Variations Using Few
  Labels".

  Example:
    >>> from disentangle_tf import supervision
    >>> loss = supervision.Covariance(1.0, (2, 2))
    >>> labels = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> float(loss(labels, labels))  # each latent is its own label
    0.0
  """

  needs_whole_batch = True

  def compare(self, codes: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
    # It is enough to centre one of the two.
    centred = codes - tf.reduce_mean(codes, axis=0)
    covariance = tf.reduce_mean(centred[:, :, None] * labels[:, None, :], axis=0)
    others = tf.linalg.set_diag(covariance, tf.zeros(len(self.factor_sizes)))
    return tf.reduce_sum(others**2, axis=0, keepdims=True)


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
