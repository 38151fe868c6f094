"""AnnealedVAE (Burgess et al. 2017): the KL follows a growing capacity."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import (
  check_coefficient,
  check_count,
  check_truth,
  check_weight,
)
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.models.vae import VAE
from disentangle_tf.schedules import Linear
from disentangle_tf.tensor_types import Coefficient, Distribution, Terms


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AnnealedVAE(VAE):
  """AnnealedVAE: a VAE with the penalty gamma * |KL - C|; C grows during training.

  Args:
    gamma: weight of the difference, a number from 0 up or a schedule.
    c_max: final capacity C, in nats of the whole code, from 0 up.
    iteration_threshold: number of steps in which C grows linearly from 0 to `c_max`.
    per_image: whether the penalty is the mean of |KL - C| over images, as in the
      papers. By default it is |mean KL - C|, as in the code of Locatello et al. The two
      differ while KLs lie on both sides of C.

  The other arguments are those of `VAE`.

  Reference: Burgess et al., 2017, "Understanding Disentangling in beta-VAE".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.AnnealedVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   c_max=5.0,
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms(images, seed=(0, 0)))
    ['capacity', 'reconstruction']
  """

  def __init__(
    self,
    *args: Any,
    gamma: Coefficient = 1000.0,
    c_max: float,
    iteration_threshold: int = 100_000,
    per_image: bool = False,
    **shared: Any,
  ) -> None:
    super().__init__(*args, **shared)
    check_coefficient("AnnealedVAE", gamma=gamma)
    check_weight("AnnealedVAE", c_max=c_max)
    check_count("AnnealedVAE", iteration_threshold=iteration_threshold)
    check_truth("AnnealedVAE", per_image=per_image)
    self.gamma = gamma
    self.c_max = c_max
    self.iteration_threshold = iteration_threshold
    self.per_image = per_image
    self.needs_whole_batch = not per_image

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    divergence = tf.reduce_sum(self.divergence(posterior, codes), axis=1)
    capacity = self.now(Linear(0.0, self.c_max, steps=self.iteration_threshold))
    if not self.per_image:
      divergence = tf.reduce_mean(whole_batch(divergence))
    excess = tf.reduce_mean(tf.abs(divergence - capacity))
    return {"capacity": self.now(self.gamma) * self._of_all_latents(excess)}
