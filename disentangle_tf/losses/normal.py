"""Negative log-likelihood of the normal distribution, with a fixed or learned scale."""

import math

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_positive, check_truth
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Normal(ReconstructionLoss):
  """Negative log-likelihood per pixel, around the decoder's output.

  A learned scale becomes the root mean squared error of the reconstructions (under
  `Overlap`, of the plain and the blurred ones together). With the sum reduction the
  plain VAE then needs no beta to balance its two terms.

  Args:
    scale: standard deviation of every pixel, in standardised units; where it starts if
      it is learned.
    learned: whether it is trained with the model.

  Attributes:
    log_scale: logarithm of the present scale, a `keras.Variable` if it is learned.

  Reference: Rybkin, Daniilidis & Levine, 2021, "Simple and Effective VAE Training with
  Calibrated Decoders".
  """

  of_difference = True

  def __init__(self, *, scale=1.0, learned=True):
    check_positive("Normal", scale=scale)
    check_truth("Normal", learned=learned)
    self.scale = scale
    self.learned = learned
    self.log_scale = math.log(scale)
    if learned:
      self.log_scale = keras.Variable(self.log_scale, name="log_scale")

  @property
  def variables(self):
    return (self.log_scale,) if self.learned else ()

  def as_trained(self):
    return Normal(scale=float(tf.exp(self.log_scale)), learned=False)

  def distance(self, targets, images):
    errors = (targets - images) * tf.exp(-self.log_scale)
    return 0.5 * (errors**2 + math.log(2 * math.pi)) + self.log_scale
