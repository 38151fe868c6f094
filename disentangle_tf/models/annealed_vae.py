"""AnnealedVAE (Burgess et al. 2017): the KL is held at a capacity that grows."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import (
  check_coefficient,
  check_count,
  check_truth,
  check_weight,
)
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.models.vae import VAE
from disentangle_tf.schedules import Linear


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AnnealedVAE(VAE):
  """A VAE held to a capacity, gamma * |KL - C|, that grows during training.

  Args:
    gamma: weight of the difference.
    c_max: the last capacity C, in nats of the whole code.
    iteration_threshold: steps in which C grows to it, from 0.
    per_image: hold each image's KL to the capacity, the mean of |KL - C|, as the papers
      write it; or, by default, that of the batch, |mean KL - C|, as Locatello et al.'s
      code has it. They differ while KLs lie on both sides of C.
    The others: see `VAE`.

  Reference: Burgess et al., 2017, "Understanding Disentangling in beta-VAE".
  """

  def __init__(
    self,
    *args,
    gamma=1000.0,
    c_max,
    iteration_threshold=100_000,
    per_image=False,
    **shared,
  ):
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

  def regularisation(self, posterior, codes, seed):
    divergence = tf.reduce_sum(self.divergence(posterior, codes), axis=1)
    capacity = self.now(Linear(0.0, self.c_max, steps=self.iteration_threshold))
    if not self.per_image:
      divergence = tf.reduce_mean(whole_batch(divergence))
    excess = tf.reduce_mean(tf.abs(divergence - capacity))
    return {"capacity": self.now(self.gamma) * self._of_all_latents(excess)}
