"""DIP-VAE-I and II (Kumar et al. 2018): the covariance of the codes is penalised."""

from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_choice, check_coefficient
from disentangle_tf.models.vae import VAE
from disentangle_tf.tensor_types import Coefficient, Distribution, Terms

_DIAGONAL_FACTORS = {"i": 10.0, "ii": 1.0}


@keras.saving.register_keras_serializable(package="disentangle_tf")
class DIPVAE(VAE):
  """DIP-VAE: a VAE that keeps the covariance of its latents close to the identity.

  The penalty is lambda_od times the sum of the squared off-diagonal entries, plus
  lambda_d times the sum of the squared differences of the diagonal from 1.

  Args:
    lambda_od: weight off the diagonal, a number from 0 up or a schedule.
    lambda_d: weight on the diagonal; by default 10 lambda_od for "i" and lambda_od for
      "ii", as in Locatello et al.
    dip_type: "i" penalises the batch's covariance of the posterior means; "ii" that of
      the codes, which adds the mean posterior variance to the diagonal.

  The other arguments are those of `VAE`.

  Reference: Kumar et al., 2018, "Variational Inference of Disentangled Latent Concepts
  from Unlabeled Observations".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.DIPVAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ...   lambda_od=5.0,
    ...   dip_type="i",
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> sorted(model.loss_terms(images, seed=(0, 0)))
    ['diagonal', 'kl', 'off_diagonal', 'reconstruction']
  """

  needs_whole_batch = True

  def __init__(
    self,
    *args: Any,
    lambda_od: Coefficient,
    lambda_d: Coefficient | None = None,
    dip_type: str,
    **shared: Any,
  ) -> None:
    super().__init__(*args, **shared)
    check_choice("DIPVAE", _DIAGONAL_FACTORS, dip_type=dip_type)
    check_coefficient("DIPVAE", lambda_od=lambda_od)
    if lambda_d is not None:
      check_coefficient("DIPVAE", lambda_d=lambda_d)
    self.lambda_od = lambda_od
    self.lambda_d = lambda_d
    self.dip_type = dip_type

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    covariance = self.covariance(self.whole_posterior(posterior))
    diagonal = tf.linalg.diag_part(covariance)
    off_diagonal = tf.linalg.set_diag(covariance, tf.zeros_like(diagonal))
    lambda_od = self.now(self.lambda_od)
    lambda_d = (
      _DIAGONAL_FACTORS[self.dip_type] * lambda_od
      if self.lambda_d is None
      else self.now(self.lambda_d)
    )
    away = lambda_od * tf.reduce_sum(off_diagonal**2)
    along = lambda_d * tf.reduce_sum((diagonal - 1.0) ** 2)
    return {
      **super().regularisation(posterior, codes, seed),
      "off_diagonal": self._of_all_latents(away),
      "diagonal": self._of_all_latents(along),
    }

  def covariance(self, posterior: Distribution) -> tf.Tensor:
    """Covariance [latents, latents] that the penalty applies to."""
    means = posterior.mean()
    centred = means - tf.reduce_mean(means, axis=0)
    size = tf.cast(tf.shape(means)[0], means.dtype)
    of_means = tf.matmul(centred, centred, transpose_a=True) / size
    if self.dip_type == "i":
      return of_means
    return of_means + tf.linalg.diag(tf.reduce_mean(posterior.variance(), axis=0))
