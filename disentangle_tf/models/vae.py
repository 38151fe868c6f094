"""The variational autoencoder that every model here refines."""

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.configuration import init_arguments
from disentangle_tf.errors import UserError
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.random_streams import random_uniform, stream_seed

tfd = tfp.distributions

_REDUCTIONS = {"mean": tf.reduce_mean, "sum": tf.reduce_sum}


@keras.saving.register_keras_serializable(package="disentangle_tf")
class VAE(keras.Model):
  """A Gaussian VAE whose regulariser a subclass may change.

  The loss is the sum of the terms in `loss_terms`, each logged under its own name. It
  takes images in [0, 1]; standardising them is its own affair.

  Args:
    encoder: keras.Model, images -> [batch, 2 * latents] (mean, log-variance).
    decoder: keras.Model, [batch, latents] -> reconstruction parameters.
    reconstruction: a `losses.ReconstructionLoss`.
    standardisation: (mean, std), each a value a channel; None leaves images alone.
    reduction: "mean" over pixels and over latents (beta normalisation, Michlo et al.
      2023, App. B.1) or "sum" over both; always the mean over the batch.
      beta_mean = beta_sum * latents / (height * width * channels).

  Attributes:
    seed: the run's seed, from which each step's latent noise follows.

  Example:
    model = VAE(encoder, decoder, losses.MSE())
    model.compile(keras.optimizers.Adam())
    model.fit(batches)

  Reference: Kingma & Welling, 2014, "Auto-Encoding Variational Bayes".
  """

  def __init__(
    self,
    encoder,
    decoder,
    reconstruction,
    *,
    standardisation=None,
    reduction="mean",
    name=None,
  ):
    super().__init__(name=name)
    if reduction not in _REDUCTIONS:
      raise UserError(f"reduction {reduction!r} is neither mean nor sum")
    if not isinstance(reconstruction, ReconstructionLoss):
      raise UserError(
        f"reconstruction is {reconstruction!r}: it must be a loss such as losses.MSE()"
      )
    _check_that_networks_fit(encoder, decoder)
    self.encoder = encoder
    self.decoder = decoder
    self.reconstruction = reconstruction
    self.standardisation = standardisation
    self.reduction = reduction
    self.seed = 0
    self.build(encoder.input_shape)

  def build(self, input_shape):
    # Both networks come built; there is nothing else to make.
    self.built = True

  @property
  def latents(self):
    """The number of latents."""
    return self.decoder.input_shape[-1]

  @property
  def prior(self):
    """The distribution of the latents before seeing an image."""
    return tfd.Normal(0.0, 1.0)

  def encode(self, images):
    """Posterior of images in [0, 1]: one `tfd.Normal` a latent, [batch, latents]."""
    mean, log_variance = tf.split(self.encoder(self._standardise(images)), 2, axis=-1)
    return tfd.Normal(mean, tf.exp(0.5 * log_variance))

  def decode(self, codes):
    """Reconstruction parameters of `codes` [batch, latents]."""
    return self.decoder(codes)

  def decode_images(self, codes):
    """Images in [0, 1] of `codes` [batch, latents]."""
    images = self.reconstruction.images(self.decode(codes))
    if self.reconstruction.standardised and self.standardisation is not None:
      mean, std = self.standardisation
      images = images * tf.constant(std) + tf.constant(mean)
    return tf.clip_by_value(images, 0.0, 1.0)

  def reconstruct(self, images):
    """Images in [0, 1] decoded from the posterior's mean."""
    return self.decode_images(self.encode(images).mean())

  def call(self, images):
    return self.decode(self.encode(images).mean())

  def loss_terms(self, images, seed):
    """Named scalars whose sum is the loss.

    Args:
      images: [batch, height, width, channels] in [0, 1].
      seed: int32 [2] for the latent noise.
    """
    posterior = self.encode(images)
    codes = self.sample(posterior, seed)
    targets = self._standardise(images) if self.reconstruction.standardised else images
    return {
      "reconstruction": self._reduce(self.reconstruction(targets, self.decode(codes))),
      **self.regularisation(posterior, codes),
    }

  def sample(self, posterior, seed):
    """Codes [batch, latents] drawn from the posterior, with a gradient to it.

    Through the quantile function, because tfp's samples change when XLA compiles them.
    """
    return posterior.quantile(random_uniform(posterior.batch_shape_tensor(), seed))

  def regularisation(self, posterior, codes):
    """Named terms that pull the posterior towards the prior."""
    del codes
    return {"kl": self._reduce(self.divergence(posterior))}

  def divergence(self, posterior):
    """KL of the posterior from the prior: [batch, latents]."""
    return tfd.kl_divergence(posterior, self.prior)

  def train_step(self, batch):
    seed = stream_seed(self.seed, "latents", self.optimizer.iterations, _replica())
    with tf.GradientTape() as tape:
      terms = self.loss_terms(batch, seed)
      loss = tf.add_n(list(terms.values()))
      # The optimiser sums gradients over replicas; the loss is their mean.
      share = loss / tf.distribute.get_strategy().num_replicas_in_sync
      scaled = self.optimizer.scale_loss(share)
    variables = self.trainable_variables
    self.optimizer.apply(tape.gradient(scaled, variables), variables)
    return {"loss": loss, **terms}

  def test_step(self, batch):
    terms = self.loss_terms(batch, stream_seed(self.seed, "test", replica=_replica()))
    return {"loss": tf.add_n(list(terms.values())), **terms}

  def get_config(self):
    config = init_arguments(self)
    for name in ("encoder", "decoder", "reconstruction"):
      config[name] = keras.saving.serialize_keras_object(config[name])
    return config

  @classmethod
  def from_config(cls, config):
    config = dict(config)
    for name in ("encoder", "decoder", "reconstruction"):
      config[name] = keras.saving.deserialize_keras_object(config[name])
    return cls(**config)

  def _standardise(self, images):
    if self.standardisation is None:
      return images
    mean, std = self.standardisation
    return (images - tf.constant(mean)) / tf.constant(std)

  def _reduce(self, values):
    """Mean over the batch of the sum or mean over everything else."""
    each = _REDUCTIONS[self.reduction](values, axis=tuple(range(1, len(values.shape))))
    return tf.reduce_mean(each)


def _replica():
  return tf.distribute.get_replica_context().replica_id_in_sync_group


def _check_that_networks_fit(encoder, decoder):
  latents = decoder.input_shape[-1]
  if encoder.output_shape[-1] != 2 * latents:
    raise UserError(
      f"the encoder gives {encoder.output_shape[-1]} values an image, the decoder "
      f"takes {latents} latents: the encoder must give {2 * latents} (mean and "
      "log-variance)"
    )
  if encoder.input_shape[1:] != decoder.output_shape[1:]:
    raise UserError(
      f"the encoder takes images of shape {encoder.input_shape[1:]}, the decoder gives "
      f"{decoder.output_shape[1:]}: they must be the same"
    )
