"""Negative log-likelihood of the continuous Bernoulli distribution, from logits."""

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.losses.bernoulli import check_epsilon
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss
from disentangle_tf.tensor_types import Distribution


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
