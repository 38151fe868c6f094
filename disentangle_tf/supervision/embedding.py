"""Supervised loss: a learned place on the axis for every value of a label."""

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_positive, check_truth
from disentangle_tf.supervision.supervised_loss import SupervisedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Embedding(SupervisedLoss):
  """Which value a code is nearest to: cross-entropy with learned places of the values.

  Value v of a label has a place e_v on its latent's axis and the logit
  -((code - e_v) * sigma)^2. Places start evenly spaced from -1 to 1, in the values'
  order: a model is then reproducible, and the same with and without `use_order`.

  Args:
    gamma_sup, factor_sizes: see `SupervisedLoss`.
    sigma: how sharply places are told apart, a number above 0, or "learn":
      one per label, from 1.
    use_order: whether places stay evenly spaced, e_v = slope * v + bias; otherwise each
      is learned on its own, and the values need no order.
  """

  def __init__(self, gamma_sup, factor_sizes, *, sigma="learn", use_order=False):
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
  def variables(self):
    return (*self._places, self._sigmas) if self.sigma == "learn" else self._places

  def places(self):
    """Where the values of each label lie: a list of float32 [values]."""
    tensors = [tf.convert_to_tensor(variable) for variable in self._places]
    if not self.use_order:
      return tf.split(*tensors, self.factor_sizes)
    slopes, biases = tensors
    return [
      slopes[i] * tf.range(size, dtype=tf.float32) + biases[i]
      for i, size in enumerate(self.factor_sizes)
    ]

  def compare(self, codes, labels):
    sigmas = tf.convert_to_tensor(self._sigmas)
    losses = [
      tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.cast(labels[:, i], tf.int32),
        logits=-(((codes[:, i, None] - places) * sigmas[i]) ** 2),
      )
      for i, places in enumerate(self.places())
    ]
    return tf.stack(losses, axis=1)


def _variable(values, name):
  return keras.Variable(values.astype(np.float32), name=name)
