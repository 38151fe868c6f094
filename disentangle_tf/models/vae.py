"""VAE (Kingma & Welling 2014), the base of the other variational models."""

from typing import Any

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.arguments import check_instance
from disentangle_tf.models.ae import AE
from disentangle_tf.models.replicas import own_rows, whole_batch, whole_shape
from disentangle_tf.priors import IsotropicNormal, Prior, TfpPrior
from disentangle_tf.random_streams import random_uniform
from disentangle_tf.tensor_types import Distribution, Tensor, Terms

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class VAE(AE):
  """Variational autoencoder with one normal posterior per latent.

  The loss is the sum of the terms in `loss_terms`, each logged under its own name.
  Subclasses change the regulariser.

  Args:
    encoder: keras.Model, images -> [batch, 2 * latents] (means, then log-variances).
    prior: a `priors.Prior` or any tfp distribution; by default a standard normal.

  The other arguments are those of `AE`.

  Reference: Kingma & Welling, 2014, "Auto-Encoding Variational Bayes".

  Example:
    >>> import keras
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.VAE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ... )
    >>> model.compile(keras.optimizers.Adam(), jit_compile=False)
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> history = model.fit(images, batch_size=4, verbose=0)
    >>> sorted(history.history)
    ['kl', 'loss', 'reconstruction']
  """

  prior: Prior

  def __init__(
    self, *args: Any, prior: Prior | Distribution | None = None, **shared: Any
  ) -> None:
    super().__init__(*args, **shared)
    if prior is None:
      prior = IsotropicNormal()
    if isinstance(prior, tfd.Distribution):
      prior = TfpPrior(prior)
    check_instance(type(self).__name__, Prior, "priors.StudentT()", prior=prior)
    prior.check_latents(self.latents)
    self.prior = prior
    self._track_variables_of("prior", prior)

  def encode(self, images: Tensor, training: bool = False) -> Distribution:
    values = self.encoder(self._standardise(images), training=training)
    mean, log_variance = tf.split(values, 2, axis=-1)
    return tfd.Normal(mean, tf.exp(0.5 * log_variance))

  def sample(self, posterior: Distribution, seed: tf.Tensor) -> tf.Tensor:
    """Draw codes [batch, latents] from the posterior, differentiably.

    The quantile function is used because tfp's samples differ under XLA. The noise is
    drawn for the whole batch, so it does not depend on the number of replicas.
    """
    shape = whole_shape(posterior.batch_shape_tensor())
    return posterior.quantile(own_rows(random_uniform(shape, seed)))

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    del seed
    return {"kl": self._reduce(self.divergence(posterior, codes))}

  def divergence(self, posterior: Distribution, codes: tf.Tensor) -> tf.Tensor:
    """KL of the posterior from the prior, see `Prior.divergence`: [batch, latents]."""
    return self.prior.divergence(posterior, codes)

  def whole_posterior(self, posterior: Distribution) -> Distribution:
    """Posterior of the whole batch, from that of the replica's rows."""
    return tfd.Normal(*whole_batch((posterior.loc, posterior.scale)))

  def _values_per_image(self) -> tuple[int, ...]:
    return (2 * self.latents,)
