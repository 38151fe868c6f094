"""Negative log-likelihoods per pixel: Bernoulli, continuous Bernoulli, normal."""

from __future__ import annotations

import math
from typing import Any, cast

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.arguments import check_positive, check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss
from disentangle_tf.tensor_types import Distribution


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Bernoulli(ReconstructionLoss):
  """Cross-entropy per pixel of images in [0, 1]; the parameters are logits.

  In the distance between two images, probabilities are clipped to [epsilon,
  1 - epsilon]. Otherwise two different binary images would be infinitely far apart.

  Args:
    epsilon: above 0 and below 0.5.

  Raises:
    UserError: epsilon is out of range.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> white, logits = tf.ones((1, 2, 2, 1)), tf.zeros((1, 2, 2, 1))
    >>> each = losses.Bernoulli()(white, logits)
    >>> each.shape.as_list(), round(float(each[0, 0, 0, 0]), 3)
    ([1, 2, 2, 1], 0.693)
  """

  standardised = False

  def __init__(self, *, epsilon: float = 1e-6) -> None:
    check_epsilon("Bernoulli", epsilon)
    self.epsilon = epsilon

  def __call__(self, targets: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
    return cast(tf.Tensor, _cross_entropy_of_logits(targets, parameters))

  def images(self, parameters: tf.Tensor) -> tf.Tensor:
    return tf.sigmoid(parameters)

  def distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    clipped = tf.clip_by_value(images, self.epsilon, 1 - self.epsilon)
    return cast(tf.Tensor, _cross_entropy(targets, images, clipped))


@tf.custom_gradient
def _cross_entropy_of_logits(targets: tf.Tensor, logits: tf.Tensor) -> Any:
  """With its gradient in closed form, which takes half the time of TensorFlow's."""

  def gradient(upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    return -upstream * logits, upstream * (tf.sigmoid(logits) - targets)

  values = tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits)
  return values, gradient


@tf.custom_gradient
def _cross_entropy(targets: tf.Tensor, images: tf.Tensor, clipped: tf.Tensor) -> Any:
  """With its gradient in closed form; clipped pixels have none."""
  light = 1 - clipped
  dark = tf.math.log(light)  # as exact as log1p, since images are clipped
  slope = dark - tf.math.log(clipped)

  def gradient(upstream: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, None]:
    by_image = upstream * (clipped - targets) / (clipped * light)
    inside = tf.equal(clipped, images)
    return upstream * slope, tf.where(inside, by_image, 0.0), None

  return targets * slope - dark, gradient


def check_epsilon(owner: str, epsilon: float) -> None:
  """Raise a `UserError` unless epsilon is above 0 and below 0.5."""
  check_positive(owner, epsilon=epsilon)
  if epsilon >= 0.5:
    raise UserError(f"{owner}.epsilon is {epsilon!r}: it must be below 0.5")


@keras.saving.register_keras_serializable(package="disentangle_tf")
class ContinuousBernoulli(ReconstructionLoss):
  """Negative log-likelihood per pixel of images in [0, 1]; the parameters are logits.

  Unlike `Bernoulli` this is the logarithm of a density over grey values, so it may be
  negative. The image that the logits describe is the distribution's mean, which differs
  from their sigmoid.

  In the distance between two images, the second is taken as that mean. It is clipped to
  [epsilon, 1 - epsilon], because the density is unbounded at 0 and 1; logits stay
  within 1 / epsilon. The distance is smallest between equal images, and equals the loss
  of the logits that have the second image as their mean.

  Args:
    epsilon: above 0 and below 0.5.

  Raises:
    UserError: epsilon is out of range.

  Reference: Loaiza-Ganem & Cunningham, 2019, "The continuous Bernoulli: fixing a
  pervasive error in variational autoencoders".

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> loss = losses.ContinuousBernoulli()
    >>> round(float(loss.images(tf.constant([[[[2.0]]]]))[0, 0, 0, 0]), 3)
    0.657
  """

  standardised = False

  def __init__(self, *, epsilon: float = 1e-3) -> None:
    check_epsilon("ContinuousBernoulli", epsilon)
    self.epsilon = epsilon

  def __call__(self, targets: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
    # A blur's rounding errors leave pixels just outside [0, 1], where the density is 0.
    targets = tf.clip_by_value(targets, 0.0, 1.0)
    return -_distribution(parameters).log_prob(targets)

  def images(self, parameters: tf.Tensor) -> tf.Tensor:
    return _distribution(parameters).mean()

  def distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    means = tf.clip_by_value(images, self.epsilon, 1 - self.epsilon)
    return self(targets, _logits_of(means))


def _distribution(logits: tf.Tensor) -> Distribution:
  return tfp.distributions.ContinuousBernoulli(logits=logits)


def _logits_of(means: tf.Tensor) -> tf.Tensor:
  """Logits of the distributions that have these means, with their gradient.

  Two steps of Newton's method refine the approximation to float32 precision. The
  gradient of a step is that of the inverse function.
  """
  logits = approximate_logits(means)
  for _ in range(2):
    found = _distribution(tf.stop_gradient(logits))
    logits = found.logits + (means - found.mean()) / found.variance()
  return logits


def approximate_logits(means: tf.Tensor) -> tf.Tensor:
  """Logits whose distributions have approximately these means, to 0.3 %.

  The mean is (1 + L(logits / 2)) / 2 with Langevin's function L. Its inverse is
  approximated as in Kroeger 2015.
  """
  y = 2 * means - 1
  return (3 * y - y**3 * (6 + y**2 - 2 * y**4) / 5) / (2 * means * (1 - means))


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

  def from_squares(self, squares: tf.Tensor, pixels: float) -> tf.Tensor:
    errors = squares * tf.exp(-2.0 * self.log_scale)
    return 0.5 * (errors + pixels * math.log(2 * math.pi)) + pixels * self.log_scale
