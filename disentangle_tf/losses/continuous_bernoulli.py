"""Negative log-likelihood of the continuous Bernoulli distribution, from logits."""

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.losses.bernoulli import check_epsilon
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class ContinuousBernoulli(ReconstructionLoss):
  """Negative log-likelihood per pixel of images in [0, 1]; the parameters are logits.

  Unlike `Bernoulli` it is a density over grey values, so it may be negative. The image
  that parameters describe is the distribution's mean, which is not their sigmoid.

  Between two images, the second one is that mean, kept `epsilon` away from 0 and 1,
  where the density has no bound: the logits stay within 1 / epsilon. The distance is
  then smallest between equal images, and is the loss of the parameters behind them.

  Reference: Loaiza-Ganem & Cunningham, 2019, "The continuous Bernoulli: fixing a
  pervasive error in variational autoencoders".
  """

  standardised = False

  def __init__(self, *, epsilon=1e-3):
    check_epsilon("ContinuousBernoulli", epsilon)
    self.epsilon = epsilon

  def __call__(self, targets, parameters):
    # A blur leaves pixels a rounding error outside of [0, 1], where the density is 0.
    targets = tf.clip_by_value(targets, 0.0, 1.0)
    return -_distribution(parameters).log_prob(targets)

  def images(self, parameters):
    return _distribution(parameters).mean()

  def distance(self, targets, images):
    means = tf.clip_by_value(images, self.epsilon, 1 - self.epsilon)
    return self(targets, _logits_of(means))


def _distribution(logits):
  return tfp.distributions.ContinuousBernoulli(logits=logits)


def _logits_of(means):
  """Logits of the distributions that have these means, with their gradient.

  Two steps of Newton's method make the approximation as good as float32. A step's own
  gradient is that of the inverse.
  """
  logits = approximate_logits(means)
  for _ in range(2):
    found = _distribution(tf.stop_gradient(logits))
    logits = found.logits + (means - found.mean()) / found.variance()
  return logits


def approximate_logits(means):
  """Logits whose distributions have about these means, good to 0.3 %.

  The mean is (1 + L(logits / 2)) / 2 with Langevin's function L, whose inverse is
  approximated by Kroeger 2015.
  """
  y = 2 * means - 1
  return (3 * y - y**3 * (6 + y**2 - 2 * y**4) / 5) / (2 * means * (1 - means))
