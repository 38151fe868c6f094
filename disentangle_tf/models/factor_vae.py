"""FactorVAE (Kim & Mnih 2018): a discriminator estimates the total correlation."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_coefficient, check_instance
from disentangle_tf.errors import UserError
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.models.reporting_model import without_targets
from disentangle_tf.models.vae import VAE
from disentangle_tf.random_streams import random_order, split_seed
from disentangle_tf.tensor_types import Batch, Coefficient, Distribution, Terms


@keras.saving.register_keras_serializable(package="disentangle_tf")
class FactorVAE(VAE):
  """FactorVAE: a VAE whose total correlation, from a discriminator, is penalised.

  The discriminator learns to distinguish codes from shuffled codes, in which each
  latent is permuted over the batch independently. The mean difference of its two logits
  estimates the total correlation. Each training step updates the VAE first and then the
  discriminator, on the same images.

  Args:
    gamma: weight of the total correlation, a number from 0 up or a schedule.
    discriminator: keras.Model, [batch, latents] -> [batch, 2] logits (real, shuffled).
    discriminator_optimizer: Keras optimiser; by default the paper's Adam.

  The other arguments are those of `VAE`.

  Reference: Kim & Mnih, 2018, "Disentangling by Factorising".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.FactorVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   gamma=10.0,
    ...   discriminator=networks.mlp_discriminator(2, units=(8,)),
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms(images, seed=(0, 0)))
    ['kl', 'reconstruction', 'total_correlation']
  """

  def __init__(
    self,
    *args: Any,
    gamma: Coefficient,
    discriminator: keras.Model,
    discriminator_optimizer: keras.optimizers.Optimizer | None = None,
    **shared: Any,
  ) -> None:
    super().__init__(*args, **shared)
    check_coefficient("FactorVAE", gamma=gamma)
    example = "networks.mlp_discriminator(...)"
    check_instance("FactorVAE", keras.Model, example, discriminator=discriminator)
    if discriminator_optimizer is not None:
      check_instance(
        "FactorVAE",
        keras.optimizers.Optimizer,
        "keras.optimizers.Adam()",
        discriminator_optimizer=discriminator_optimizer,
      )
    if discriminator.input_shape[-1] != self.latents:
      raise UserError(
        f"the discriminator takes {discriminator.input_shape[-1]} latents, the model "
        f"has {self.latents}: they must agree"
      )
    self.gamma = gamma
    self.discriminator = discriminator
    self.discriminator_optimizer = _loss_scaled(
      discriminator_optimizer or keras.optimizers.Adam(1e-4, beta_1=0.5, beta_2=0.9)
    )
    self.discriminator_optimizer.build(discriminator.trainable_variables)

  @property
  def trainable_variables(self) -> list[keras.Variable]:
    # The discriminator has a separate optimiser for its weights.
    others = {id(v) for v in self.discriminator.trainable_variables}
    return [v for v in super().trainable_variables if id(v) not in others]

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    correlation = self._of_all_latents(self.total_correlation(codes))
    return {
      **super().regularisation(posterior, codes, seed),
      "total_correlation": self.now(self.gamma) * correlation,
    }

  def total_correlation(self, codes: tf.Tensor) -> tf.Tensor:
    """The discriminator's estimate for `codes` [batch, latents], in nats."""
    logits = self.discriminator(codes, training=False)
    real, shuffled = tf.unstack(logits, axis=1)
    return tf.reduce_mean(real - shuffled)

  def discriminator_loss(
    self, codes: tf.Tensor, seed: tf.Tensor, training: bool = False
  ) -> tf.Tensor:
    """Cross-entropy on codes and shuffled codes; log 2 if they look the same."""
    shuffled = shuffle_each_latent(codes, seed)
    both = tf.concat([codes, shuffled], axis=0)
    logits = self.discriminator(both, training=training)
    labels = tf.repeat([0, 1], tf.shape(codes)[0])
    return tf.reduce_mean(
      tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )

  def train_step(self, batch: Batch) -> Terms:
    batch = without_targets(batch)
    seed = self._step_seed("discriminator")
    logs = super().train_step(batch)
    codes = self.sample(self.encode(self.unlabelled(batch), training=True), seed)
    codes = whole_batch(codes)  # they are shuffled over the whole batch
    terms = self.descend(
      lambda: {"discriminator": self.discriminator_loss(codes, seed, training=True)},
      self.discriminator_optimizer,
      self.discriminator.trainable_variables,
    )
    self.count(terms, batch)
    return {**logs, **terms}


def shuffle_each_latent(codes: tf.Tensor, seed: tf.Tensor) -> tf.Tensor:
  """Permute each latent of codes [batch, latents] over the batch independently."""
  columns = tf.transpose(codes)
  order = random_order(tf.shape(columns), split_seed(seed, "shuffle"))
  return tf.transpose(tf.gather(columns, order, axis=1, batch_dims=1))


def _loss_scaled(optimizer: keras.optimizers.Optimizer) -> keras.optimizers.Optimizer:
  """Scale losses under mixed_float16, as `compile` does for the model's optimiser."""
  if keras.config.dtype_policy().name != "mixed_float16":
    return optimizer
  return keras.optimizers.LossScaleOptimizer(optimizer)
