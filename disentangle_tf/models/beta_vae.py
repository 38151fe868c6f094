"""beta-VAE (Higgins et al. 2017): the KL is weighted by beta."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_coefficient
from disentangle_tf.models.vae import VAE
from disentangle_tf.tensor_types import Coefficient, Distribution, Terms


@keras.saving.register_keras_serializable(package="disentangle_tf")
class BetaVAE(VAE):
  """beta-VAE: a VAE whose KL divergence is weighted by `beta`.

  Args:
    beta: weight of the divergence, a number from 0 up or a schedule; 1 is the plain
      VAE.

  The other arguments are those of `VAE`.

  Reference: Higgins et al., 2017, "beta-VAE: Learning Basic Visual Concepts with a
  Constrained Variational Framework".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.BetaVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   beta=4.0,
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms(images, seed=(0, 0)))
    ['kl', 'reconstruction']
  """

  def __init__(self, *args: Any, beta: Coefficient, **shared: Any) -> None:
    super().__init__(*args, **shared)
    check_coefficient("BetaVAE", beta=beta)
    self.beta = beta

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    divergence = super().regularisation(posterior, codes, seed)["kl"]
    return {"kl": self.now(self.beta) * divergence}
