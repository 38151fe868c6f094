"""Ada-GVAE (Locatello et al. 2020): pairs, whose shared latents are averaged."""

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_choice, check_share, check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.models.beta_vae import BetaVAE

tfd = tfp.distributions

_LABELS = (None, "count", "factors")


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AdaGVAE(BetaVAE):
  """A beta-VAE of pairs, which share the latents that seem not to have changed.

  A latent whose two posteriors differ by less than a threshold gets their average (mean
  of the means, mean of the variances) in both. The loss is the mean over the two.

  Args:
    symmetric: measure the difference by the mean of both KLs (Dittadi et al. 2021,
      Michlo et al.) or by KL(first || second) alone (the original).
    ratio: where the threshold lies between the smallest and the largest difference of
      a pair; the paper's is 0.5.
    labels: what is known of each pair. None: nothing. "count": how many factors
      changed, so many latents stay apart. "factors": which, latent i stands for factor
      i and further latents are never shared. Batches then have a third part, bool
      [batch, factors], true where a factor changed (`data.changed_factors`).
    The others: see `BetaVAE`.

  Reference: Locatello et al., 2020, "Weakly-Supervised Disentanglement Without
  Compromises".
  """

  pairs = True

  def __init__(self, *args, symmetric=True, ratio=0.5, labels=None, **shared):
    super().__init__(*args, **shared)
    check_truth("AdaGVAE", symmetric=symmetric)
    check_share("AdaGVAE", ratio=ratio)
    check_choice("AdaGVAE", _LABELS, labels=labels)
    self.symmetric = symmetric
    self.ratio = ratio
    self.labels = labels

  def unsupervised_terms(self, batch, seed, training):
    first, second, *labels = batch
    posteriors = self.encode_pair((first, second), training)
    shared = self.shared_latents(*posteriors, *labels)
    posteriors = self.share(*posteriors, shared)
    return self.mean_terms_of((first, second), posteriors, seed, training)

  def shared_latents(self, first, second, changed=None):
    """Which latents a pair shares: bool [batch, latents]."""
    if self.labels == "factors":
      spare = self.latents - changed.shape[1]
      return tf.pad(tf.logical_not(changed), [[0, 0], [0, spare]])
    difference = tfd.kl_divergence(first, second)
    if self.symmetric:
      difference = 0.5 * (difference + tfd.kl_divergence(second, first))
    if self.labels == "count":
      count = tf.reduce_sum(tf.cast(changed, tf.int32), axis=1, keepdims=True)
      ranks = tf.argsort(tf.argsort(difference, axis=1, direction="DESCENDING"), axis=1)
      return ranks >= count
    least = tf.reduce_min(difference, axis=1, keepdims=True)
    most = tf.reduce_max(difference, axis=1, keepdims=True)
    return difference < least + self.ratio * (most - least)

  def share(self, first, second, shared):
    """The pair's posteriors, with the `shared` latents made one."""
    common = self.common_posterior(first, second)
    return [
      tfd.Normal(
        tf.where(shared, common.loc, own.loc), tf.where(shared, common.scale, own.scale)
      )
      for own in (first, second)
    ]

  def common_posterior(self, first, second):
    """What two posteriors become where they are shared."""
    variance = 0.5 * (first.variance() + second.variance())
    return tfd.Normal(0.5 * (first.loc + second.loc), tf.sqrt(variance))

  def check_batch(self, batch):
    super().check_batch(batch)
    labels = self.unlabelled(batch)[2:]
    if bool(labels) != (self.labels is not None):
      raise UserError(
        f"AdaGVAE.labels is {self.labels!r} and the batches "
        f"{'have' if labels else 'lack'} labels: set both it and "
        "training.Sampling.label_of = @data.changed_factors, or neither"
      )
    if self.labels == "factors" and labels[0].shape[1] > self.latents:
      raise UserError(
        f"{labels[0].shape[1]} factors need as many latents, the model has "
        f"{self.latents}: set LATENTS higher"
      )
