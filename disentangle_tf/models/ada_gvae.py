"""Ada-GVAE and Ada-ML-VAE (Locatello et al. 2020)."""

from typing import Any

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.arguments import check_choice, check_share, check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.models.beta_vae import BetaVAE
from disentangle_tf.tensor_types import Batch, Distribution, Terms

tfd = tfp.distributions

_LABELS = (None, "count", "factors")


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AdaGVAE(BetaVAE):
  """Ada-GVAE: a beta-VAE of pairs that averages the latents they seem to share.

  If the two posteriors of a latent differ by less than a threshold, both are replaced
  by their average (mean of the means, mean of the variances). The loss is the mean over
  the two images.

  Args:
    symmetric: whether the difference is the mean of both KLs (Dittadi et al. 2021,
      Michlo et al.) or KL(first || second) only (the original).
    ratio: position of the threshold between the smallest and the largest difference of
      a pair, from 0 to 1; 0.5 in the paper.
    labels: what is known about each pair.
      None: nothing.
      "count": how many factors changed; that many latents are not shared.
      "factors": which factors changed. Latent i represents factor i, and further
      latents are never shared.
      With labels, batches have a third part, bool [batch, factors], true where a factor
      changed (`data.changed_factors`).

  The other arguments are those of `BetaVAE`.

  Reference: Locatello et al., 2020, "Weakly-Supervised Disentanglement Without
  Compromises".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.AdaGVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms((images, images), seed=(0, 0)))
    ['kl', 'reconstruction']
  """

  pairs = True

  def __init__(
    self,
    *args: Any,
    symmetric: bool = True,
    ratio: float = 0.5,
    labels: str | None = None,
    **shared: Any,
  ) -> None:
    super().__init__(*args, **shared)
    check_truth("AdaGVAE", symmetric=symmetric)
    check_share("AdaGVAE", ratio=ratio)
    check_choice("AdaGVAE", _LABELS, labels=labels)
    self.symmetric = symmetric
    self.ratio = ratio
    self.labels = labels

  def unsupervised_terms(self, batch: Batch, seed: tf.Tensor, training: bool) -> Terms:
    first, second, *labels = batch
    posteriors = self.encode_pair((first, second), training)
    shared = self.shared_latents(*posteriors, *labels)
    posteriors = self.share(*posteriors, shared)
    return self.mean_terms_of((first, second), posteriors, seed, training)

  def shared_latents(
    self,
    first: Distribution,
    second: Distribution,
    changed: Any = None,
  ) -> tf.Tensor:
    """Which latents a pair shares: bool [batch, latents].

    Args:
      first: posterior [batch, latents] of the first images.
      second: that of the second images.
      changed: bool [batch, factors], if the model has `labels`.
    """
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

  def share(
    self, first: Distribution, second: Distribution, shared: tf.Tensor
  ) -> list[Distribution]:
    """The pair's posteriors, equal in the `shared` latents."""
    common = self.common_posterior(first, second)
    return [
      tfd.Normal(
        tf.where(shared, common.loc, own.loc), tf.where(shared, common.scale, own.scale)
      )
      for own in (first, second)
    ]

  def common_posterior(self, first: Distribution, second: Distribution) -> Distribution:
    """Posterior that replaces those of both images in shared latents."""
    variance = 0.5 * (first.variance() + second.variance())
    return tfd.Normal(0.5 * (first.loc + second.loc), tf.sqrt(variance))

  def check_batch(self, batch: Batch) -> None:
    super().check_batch(batch)
    labels = self.unlabelled(batch)[2:]
    if bool(labels) != (self.labels is not None):
      raise UserError(
        f"AdaGVAE.labels is {self.labels!r} and the batches "
        f"{'have' if labels else 'lack'} labels: set both it and "
        "training.Sampling(label_of=data.changed_factors), or neither"
      )
    if self.labels == "factors" and labels[0].shape[1] > self.latents:
      raise UserError(
        f"{labels[0].shape[1]} factors need as many latents, the model has "
        f"{self.latents}: use more latents"
      )


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AdaMLVAE(AdaGVAE):
  """Ada-GVAE whose shared posterior is the geometric mean of the two densities.

  Its precision is the mean of the two precisions. Its mean is the average of the two
  means, weighted by the precisions.

  Args:
    The arguments are those of `AdaGVAE`.

  Reference: Locatello et al., 2020, "Weakly-Supervised Disentanglement Without
  Compromises"; after Bouchacourt et al., 2018, "Multi-Level Variational Autoencoder".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.AdaMLVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   beta=1.0,
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms((images, images), seed=(0, 0)))
    ['kl', 'reconstruction']
  """

  def common_posterior(self, first: Distribution, second: Distribution) -> Distribution:
    precisions = [1.0 / posterior.variance() for posterior in (first, second)]
    variance = 2.0 / (precisions[0] + precisions[1])
    weighted = precisions[0] * first.loc + precisions[1] * second.loc
    return tfp.distributions.Normal(0.5 * variance * weighted, tf.sqrt(variance))
