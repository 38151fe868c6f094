"""Inclusive KL: of the prior from the aggregate posterior."""

import keras
import tensorflow as tf

from disentangle_tf.losses.aggregate_posterior import log_mixture_density
from disentangle_tf.losses.code_divergence import CodeDivergence


@keras.saving.register_keras_serializable(package="disentangle_tf")
class InclusiveKL(CodeDivergence):
  """KL(p || q), q(z) the mean of a batch's posteriors: where p is, q must be too.

  A Monte-Carlo mean over draws from the prior, in nats.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", appendix B.
  """

  def __init__(self):
    pass

  def __call__(self, posterior, codes, prior, drawn):
    del codes
    return tf.reduce_mean(prior.log_prob(drawn) - log_mixture_density(posterior, drawn))
