"""SlowVAE (Klindt et al. 2021): a Laplace prior on how codes change in time."""

import math
from typing import Any

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.arguments import check_coefficient, check_positive
from disentangle_tf.models.beta_vae import BetaVAE
from disentangle_tf.tensor_types import Batch, Coefficient, Distribution, Terms

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SlowVAE(BetaVAE):
  """SlowVAE: a VAE of successive images with a Laplace prior on changes of the code.

  The loss is the mean of both images' VAE terms plus gamma times a transition term: the
  KL of each posterior from a Laplace distribution around the other's mean, averaged
  over both directions.

  Args:
    gamma: weight of the transition term, a number from 0 up or a schedule.
    rate: lambda of the Laplace distribution with density rate / 2 * exp(-rate |step|),
      above 0.
    beta: weight of the KL from the prior, a number from 0 up or a schedule.

  The other arguments are those of `VAE`.

  Reference: Klindt et al., 2021, "Towards Nonlinear Disentanglement in Natural Data
  with Temporal Sparse Coding".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.SlowVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms((images, images), seed=(0, 0)))
    ['kl', 'reconstruction', 'transition']
  """

  pairs = True

  def __init__(
    self,
    *args: Any,
    gamma: Coefficient = 10.0,
    rate: float = 6.0,
    beta: Coefficient = 1.0,
    **shared: Any,
  ) -> None:
    super().__init__(*args, beta=beta, **shared)
    check_coefficient("SlowVAE", gamma=gamma)
    check_positive("SlowVAE", rate=rate)
    self.gamma = gamma
    self.rate = rate

  def unsupervised_terms(self, batch: Batch, seed: tf.Tensor, training: bool) -> Terms:
    posteriors = self.encode_pair(batch, training)
    transitions = self.transition(*posteriors) + self.transition(*reversed(posteriors))
    return {
      **self.mean_terms_of(batch, posteriors, seed, training),
      "transition": self.now(self.gamma) * self._reduce(0.5 * transitions),
    }

  def transition(self, posterior: Distribution, other: Distribution) -> tf.Tensor:
    """KL of a posterior from a Laplace around the other's mean: [batch, latents]."""
    cross = laplace_cross_entropy(
      posterior.loc - other.loc, posterior.scale, rate=self.rate
    )
    return cross - posterior.entropy()


def laplace_cross_entropy(
  mean: tf.Tensor, scale: tf.Tensor, *, rate: float
) -> tf.Tensor:
  """E[-log Laplace(z; 0, rate)] for z ~ N(mean, scale^2), elementwise."""
  folded = scale * math.sqrt(2 / math.pi) * tf.exp(-0.5 * (mean / scale) ** 2)
  absolute = folded - mean * (1.0 - 2.0 * tfd.Normal(0.0, 1.0).cdf(mean / scale))
  return rate * absolute - math.log(rate / 2)
