"""The alpha/beta objective of Mathieu et al. 2019, which includes InfoVAE."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_coefficient, check_instance
from disentangle_tf.losses import CodeDivergence
from disentangle_tf.models.beta_vae import BetaVAE
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.random_streams import split_seed
from disentangle_tf.tensor_types import Coefficient, Distribution, Terms


@keras.saving.register_keras_serializable(package="disentangle_tf")
class DecompositionVAE(BetaVAE):
  """VAE with separate penalties on overlap and on the structure of the latent space.

  The regulariser is beta * KL(q(z|x) || p) + alpha * D(q(z), p). D compares the
  aggregate posterior of the batch with the prior. InfoVAE (Zhao et al. 2017) with its
  alpha' and lambda' corresponds to beta = 1 - alpha' and alpha = alpha' + lambda' - 1.

  Args:
    alpha: weight of the aggregate divergence, a number from 0 up or a schedule.
    aggregate_divergence: a `losses.CodeDivergence` such as `losses.MMD()` or
      `losses.InclusiveKL()`.

  The other arguments are those of `BetaVAE`.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", equation 7.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.DecompositionVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   beta=1.0,
    ...   alpha=10.0,
    ...   aggregate_divergence=losses.MMD(),
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms(images, seed=(0, 0)))
    ['aggregate', 'kl', 'reconstruction']
  """

  needs_whole_batch = True

  def __init__(
    self,
    *args: Any,
    alpha: Coefficient,
    aggregate_divergence: CodeDivergence,
    **shared: Any,
  ) -> None:
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

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    whole = self.whole_posterior(posterior), whole_batch(codes)
    drawn = self.prior.sample(
      tf.shape(whole[1])[0], self.latents, split_seed(seed, "prior")
    )
    apart = self.aggregate_divergence(*whole, self.prior, drawn)
    return {
      **super().regularisation(posterior, codes, seed),
      "aggregate": self.now(self.alpha) * self._of_all_latents(apart),
    }
