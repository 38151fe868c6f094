"""The inclusive KL divergence of the prior from the aggregate posterior."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.losses.aggregate_posterior import log_mixture_density
from disentangle_tf.losses.code_divergence import CodeDivergence
from disentangle_tf.tensor_types import Distribution


@keras.saving.register_keras_serializable(package="disentangle_tf")
class InclusiveKL(CodeDivergence):
  """KL(p || q) of the prior p from q(z), the mean of a batch's posteriors, in nats.

  It is large if q is small where p is large. It is estimated as a Monte-Carlo mean over
  draws from the prior.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", appendix B.

  Example:
    >>> import tensorflow as tf
    >>> import tensorflow_probability as tfp
    >>> from disentangle_tf import losses, priors
    >>> posterior = tfp.distributions.Normal(tf.zeros((8, 2)), tf.ones((8, 2)))
    >>> codes, prior = tf.zeros((8, 2)), priors.IsotropicNormal()
    >>> value = losses.InclusiveKL()(posterior, codes, prior, tf.ones((8, 2)))
    >>> abs(float(value)) < 1e-5  # every posterior is the prior
    True
  """

  def __init__(self) -> None:
    pass

  def __call__(
    self, posterior: Distribution, codes: tf.Tensor, prior: Any, drawn: tf.Tensor
  ) -> tf.Tensor:
    del codes
    return tf.reduce_mean(prior.log_prob(drawn) - log_mixture_density(posterior, drawn))
