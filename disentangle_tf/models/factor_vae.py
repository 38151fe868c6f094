"""FactorVAE (Kim & Mnih 2018): a discriminator estimates the total correlation."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_coefficient, check_instance
from disentangle_tf.errors import UserError
from disentangle_tf.models.replicas import whole_batch
from disentangle_tf.models.reporting_model import without_targets
from disentangle_tf.models.vae import VAE
from disentangle_tf.random_streams import random_order, split_seed


@keras.saving.register_keras_serializable(package="disentangle_tf")
class FactorVAE(VAE):
  """A VAE with a penalty on the total correlation that a discriminator sees.

  The discriminator learns to tell codes from codes whose latents were shuffled over the
  batch, each on its own; the mean difference of its two logits is then the total
  correlation. After every step of the VAE it takes one of its own, on the same images;
  in the VAE's step it only measures.

  Args:
    gamma: weight of the total correlation.
    discriminator: keras.Model, [batch, latents] -> [batch, 2] logits (real, shuffled).
    discriminator_optimizer: Keras optimiser; by default the paper's Adam.
    The others: see `VAE`.

  Reference: Kim & Mnih, 2018, "Disentangling by Factorising".
  """

  def __init__(
    self, *args, gamma, discriminator, discriminator_optimizer=None, **shared
  ):
    super().__init__(*args, **shared)
    check_coefficient("FactorVAE", gamma=gamma)
    example = "networks.discriminator(...)"
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
  def trainable_variables(self):
    # The discriminator's weights are its own optimiser's affair.
    others = {id(v) for v in self.discriminator.trainable_variables}
    return [v for v in super().trainable_variables if id(v) not in others]

  def regularisation(self, posterior, codes, seed):
    correlation = self._of_all_latents(self.total_correlation(codes))
    return {
      **super().regularisation(posterior, codes, seed),
      "total_correlation": self.now(self.gamma) * correlation,
    }

  def total_correlation(self, codes):
    """What the discriminator makes of `codes` [batch, latents], in nats."""
    logits = self.discriminator(codes, training=False)
    real, shuffled = tf.unstack(logits, axis=1)
    return tf.reduce_mean(real - shuffled)

  def discriminator_loss(self, codes, seed, training=False):
    """Cross-entropy of telling codes from shuffled ones; log 2 if it cannot."""
    shuffled = shuffle_each_latent(codes, seed)
    both = tf.concat([codes, shuffled], axis=0)
    logits = self.discriminator(both, training=training)
    labels = tf.repeat([0, 1], tf.shape(codes)[0])
    return tf.reduce_mean(
      tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )

  def train_step(self, batch):
    batch = without_targets(batch)
    seed = self._step_seed("discriminator")
    logs = super().train_step(batch)
    codes = self.sample(self.encode(self.unlabelled(batch), training=True), seed)
    codes = whole_batch(codes)  # which are shuffled over it
    terms = self.descend(
      lambda: {"discriminator": self.discriminator_loss(codes, seed, training=True)},
      self.discriminator_optimizer,
      self.discriminator.trainable_variables,
    )
    self.count(terms, batch)
    return {**logs, **terms}


def shuffle_each_latent(codes, seed):
  """Codes [batch, latents] with every latent permuted over the batch on its own."""
  columns = tf.transpose(codes)
  order = random_order(tf.shape(columns), split_seed(seed, "shuffle"))
  return tf.transpose(tf.gather(columns, order, axis=1, batch_dims=1))


def _loss_scaled(optimizer):
  """As `compile` does with a model's own optimiser under mixed_float16."""
  if keras.config.dtype_policy().name != "mixed_float16":
    return optimizer
  return keras.optimizers.LossScaleOptimizer(optimizer)
