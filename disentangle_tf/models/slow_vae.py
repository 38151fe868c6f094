"""SlowVAE (Klindt et al. 2021): a Laplace prior on how codes change in time."""

import math

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_coefficient, check_positive
from disentangle_tf.models.beta_vae import BetaVAE

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SlowVAE(BetaVAE):
  """A VAE of successive images, whose latents change rarely: by Laplace steps.

  To the mean of both images' VAE terms it adds gamma times the KL of each posterior
  from a Laplace distribution around the other's mean, the mean of both ways round.

  Args:
    gamma: weight of the transitions.
    rate: lambda of the Laplace distribution, density rate / 2 * exp(-rate |step|).
    beta: weight of the KL from the prior.
    The others: see `VAE`.

  Reference: Klindt et al., 2021, "Towards Nonlinear Disentanglement in Natural Data
  with Temporal Sparse Coding".
  """

  pairs = True

  def __init__(self, *args, gamma=10.0, rate=6.0, beta=1.0, **shared):
    super().__init__(*args, beta=beta, **shared)
    check_coefficient("SlowVAE", gamma=gamma)
    check_positive("SlowVAE", rate=rate)
    self.gamma = gamma
    self.rate = rate

  def unsupervised_terms(self, batch, seed, training):
    posteriors = self.encode_pair(batch, training)
    transitions = self.transition(*posteriors) + self.transition(*reversed(posteriors))
    return {
      **self.mean_terms_of(batch, posteriors, seed, training),
      "transition": self.now(self.gamma) * self._reduce(0.5 * transitions),
    }

  def transition(self, posterior, other):
    """KL of a posterior from a Laplace around the other's mean: [batch, latents]."""
    cross = laplace_cross_entropy(
      posterior.loc - other.loc, posterior.scale, rate=self.rate
    )
    return cross - posterior.entropy()


def laplace_cross_entropy(mean, scale, *, rate):
  """E[-log Laplace(z; 0, rate)] for z ~ N(mean, scale^2), a value each."""
  folded = scale * math.sqrt(2 / math.pi) * tf.exp(-0.5 * (mean / scale) ** 2)
  absolute = folded - mean * (1.0 - 2.0 * tfd.Normal(0.0, 1.0).cdf(mean / scale))
  return rate * absolute - math.log(rate / 2)
