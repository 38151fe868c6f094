"""beta-TCVAE (Chen et al. 2018): the total correlation is weighted by beta."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_coefficient
from disentangle_tf.losses.aggregate_posterior import check_estimator, total_correlation
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.models.vae import VAE
from disentangle_tf.tensor_types import Coefficient, Distribution, Terms


@keras.saving.register_keras_serializable(package="disentangle_tf")
class BetaTCVAE(VAE):
  """beta-TCVAE: a VAE with a weighted total correlation, KL + (beta - 1) TC.

  The total correlation is that of the aggregate posterior, estimated from the batch.

  Args:
    beta: weight of the total correlation, a number from 0 up or a schedule; 1 is the
      plain VAE.
    estimator: "weighted" or "stratified", see `losses.aggregate_posterior`.
    num_points: size of the data set. The "stratified" estimator needs it; it adds a
      constant to the "weighted" one.

  The other arguments are those of `VAE`.

  Reference: Chen et al., 2018, "Isolating Sources of Disentanglement in Variational
  Autoencoders".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.BetaTCVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   beta=6.0,
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms(images, seed=(0, 0)))
    ['kl', 'reconstruction', 'total_correlation']
  """

  needs_whole_batch = True

  def __init__(
    self,
    *args: Any,
    beta: Coefficient,
    estimator: str = "weighted",
    num_points: int | None = None,
    **shared: Any,
  ) -> None:
    super().__init__(*args, **shared)
    check_coefficient("BetaTCVAE", beta=beta)
    check_estimator(estimator, num_points)
    self.beta = beta
    self.estimator = estimator
    self.num_points = num_points

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    correlation = total_correlation(
      self.whole_posterior(posterior),
      whole_batch(codes),
      estimator=self.estimator,
      num_points=self.num_points,
    )
    weight = self.now(self.beta) - 1.0
    return {
      **super().regularisation(posterior, codes, seed),
      "total_correlation": weight * self._of_all_latents(correlation),
    }
