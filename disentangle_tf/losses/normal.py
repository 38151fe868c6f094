"""Negative log-likelihood of the normal distribution, with a fixed or learned scale."""

from __future__ import annotations

import math

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_positive, check_truth
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Normal(ReconstructionLoss):
  """Negative log-likelihood per pixel of a normal distribution.

  The decoder's output is its mean. A learned scale converges to the root mean squared
  error of the reconstructions (under `Overlap`, of the plain and the blurred ones
  together). With the sum reduction a plain VAE then needs no beta to balance its two
  terms.

  Args:
    scale: standard deviation of every pixel, in standardised units, above 0; the
      initial value if it is learned.
    learned: whether the scale is trained with the model.

  Attributes:
    log_scale: logarithm of the present scale, a `keras.Variable` if it is learned.

  Reference: Rybkin, Daniilidis & Levine, 2021, "Simple and Effective VAE Training with
  Calibrated Decoders".

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> image = tf.zeros((1, 2, 2, 1))
    >>> each = losses.Normal(learned=False)(image, image)
    >>> round(float(each[0, 0, 0, 0]), 3)  # 0.5 * log(2 * pi)
    0.919
  """

  of_difference = True

  def __init__(self, *, scale: float = 1.0, learned: bool = True) -> None:
    check_positive("Normal", scale=scale)
    check_truth("Normal", learned=learned)
    self.scale = scale
    self.learned = learned
    self.log_scale = math.log(scale)
    if learned:
      self.log_scale = keras.Variable(self.log_scale, name="log_scale")

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    return (self.log_scale,) if self.learned else ()

  def as_trained(self) -> Normal:
    return Normal(scale=float(tf.exp(self.log_scale)), learned=False)

  def distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    errors = (targets - images) * tf.exp(-self.log_scale)
    return 0.5 * (errors**2 + math.log(2 * math.pi)) + self.log_scale
