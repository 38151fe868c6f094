"""VAE (Kingma & Welling 2014), which the other models refine."""

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_instance
from disentangle_tf.models.ae import AE
from disentangle_tf.models.replicas import own_rows, whole_batch, whole_shape
from disentangle_tf.priors import IsotropicNormal, Prior, TfpPrior
from disentangle_tf.random_streams import random_uniform

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class VAE(AE):
  """A VAE: one normal posterior per latent, and a regulariser that subclasses change.

  The loss is the sum of the terms in `loss_terms`, each logged under its own name.

  Args:
    encoder: keras.Model, images -> [batch, 2 * latents] (mean, log-variance).
    prior: a `priors.Prior` or any tfp distribution; by default a standard normal.
    decoder, reconstruction, reduction, standardisation, supervision: see `AE`.

  Example:
    model = VAE(encoder, decoder, losses.MSE())
    model.compile(keras.optimizers.Adam())
    model.fit(batches)

  Reference: Kingma & Welling, 2014, "Auto-Encoding Variational Bayes".
  """

  def __init__(self, *args, prior=None, **shared):
    super().__init__(*args, **shared)
    if isinstance(prior, tfd.Distribution):
      prior = TfpPrior(prior)
    prior = IsotropicNormal() if prior is None else prior
    check_instance(type(self).__name__, Prior, "priors.StudentT()", prior=prior)
    prior.check_latents(self.latents)
    self.prior = prior
    self._track_variables_of("prior", prior)

  def encode(self, images, training=False):
    values = self.encoder(self._standardise(images), training=training)
    mean, log_variance = tf.split(values, 2, axis=-1)
    return tfd.Normal(mean, tf.exp(0.5 * log_variance))

  def sample(self, posterior, seed):
    """Codes [batch, latents] drawn from the posterior, with a gradient to it.

    Through the quantile function, because tfp's samples change when XLA compiles them.
    The noise is drawn for the whole batch, so it does not depend on the replicas.
    """
    shape = whole_shape(posterior.batch_shape_tensor())
    return posterior.quantile(own_rows(random_uniform(shape, seed)))

  def regularisation(self, posterior, codes, seed):
    del seed
    return {"kl": self._reduce(self.divergence(posterior, codes))}

  def divergence(self, posterior, codes):
    """KL of the posterior from the prior, see `Prior.divergence`: [batch, latents]."""
    return self.prior.divergence(posterior, codes)

  def whole_posterior(self, posterior):
    """The posterior of the whole batch, of which `posterior` has the replica's rows."""
    return tfd.Normal(*whole_batch((posterior.loc, posterior.scale)))

  def _values_an_image(self):
    return (2 * self.latents,)
