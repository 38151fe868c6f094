"""The alpha/beta objective of Mathieu et al. 2019, and with it InfoVAE."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_coefficient, check_instance
from disentangle_tf.losses import CodeDivergence
from disentangle_tf.models.beta_vae import BetaVAE
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.random_streams import split_seed


@keras.saving.register_keras_serializable(package="disentangle_tf")
class DecompositionVAE(BetaVAE):
  """beta * KL(q(z|x) || p) + alpha * D(q(z), p): overlap and structure on their own.

  D compares the aggregate posterior, of the batch, with the prior.
  InfoVAE (Zhao et al. 2017) with its own alpha and lambda is beta = 1 - alpha and
  alpha = alpha + lambda - 1 here.

  Args:
    alpha: weight of the aggregate divergence.
    beta: weight of the KL per point.
    aggregate_divergence: `losses.MMD()` or `losses.InclusiveKL()`.
    The others: see `VAE`.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", equation 7.
  """

  needs_whole_batch = True

  def __init__(self, *args, alpha, aggregate_divergence, **shared):
    super().__init__(*args, **shared)
    check_coefficient("DecompositionVAE", alpha=alpha)
    check_instance(
      "DecompositionVAE",
      CodeDivergence,
      "losses.MMD()",
      aggregate_divergence=aggregate_divergence,
    )
    self.alpha = alpha
    self.aggregate_divergence = aggregate_divergence

  def regularisation(self, posterior, codes, seed):
    whole = self.whole_posterior(posterior), whole_batch(codes)
    drawn = self.prior.sample(
      tf.shape(whole[1])[0], self.latents, split_seed(seed, "prior")
    )
    apart = self.aggregate_divergence(*whole, self.prior, drawn)
    return {
      **super().regularisation(posterior, codes, seed),
      "aggregate": self.now(self.alpha) * self._of_all_latents(apart),
    }
