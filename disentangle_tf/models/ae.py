"""AE, the autoencoder: no latent noise and no prior."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_instance
from disentangle_tf.errors import UserError
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.models.representation_model import RepresentationModel
from disentangle_tf.random_streams import split_seed

_REDUCTIONS = {"mean": tf.reduce_mean, "sum": tf.reduce_sum}


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AE(RepresentationModel):
  """An encoder and a decoder that minimise the reconstruction loss alone.

  Takes images in [0, 1]; standardising them is its own affair. Of an encoder that also
  gives log-variances, it uses the means.

  Args:
    encoder: keras.Model, images -> [batch, latents] or [batch, 2 * latents].
    decoder: keras.Model, [batch, latents] -> reconstruction parameters.
    reconstruction: a `losses.ReconstructionLoss`.
    reduction: "mean" over pixels and over latents (beta normalisation, Michlo et al.
      2023, App. B.1) or "sum" over both; always the mean over the batch. Whatever a
      model penalises in its latents is divided by their number under "mean", so every
      weight translates as beta_mean = beta_sum * latents / (height * width * channels).
    standardisation, supervision: see `RepresentationModel`.
  """

  def __init__(self, encoder, decoder, reconstruction, *, reduction="mean", **shared):
    super().__init__(encoder, **shared)
    if reduction not in tuple(_REDUCTIONS):
      raise UserError(f"reduction {reduction!r} is neither mean nor sum")
    kind, loss = type(self).__name__, "losses.MSE()"
    check_instance(kind, keras.Model, "networks.mlp_decoder(...)", decoder=decoder)
    check_instance(kind, ReconstructionLoss, loss, reconstruction=reconstruction)
    self.decoder = decoder
    self.reconstruction = reconstruction
    self.reduction = reduction
    self._track_variables_of("reconstruction", reconstruction)
    self._check_that_networks_fit()

  @property
  def latents(self):
    """The number of latents."""
    return self.decoder.input_shape[-1]

  def sample(self, posterior, seed):
    """Codes [batch, latents] to decode in training."""
    del seed
    return posterior.mean()

  def decode(self, codes, training=False):
    """Reconstruction parameters of `codes` [batch, latents]."""
    return self.decoder(codes, training=training)

  def decode_unclipped(self, codes):
    """Means of the pixels, in the units of images in [0, 1], of `codes`.

    The loss's activation and the standardisation are applied, so the means of a
    Bernoulli likelihood lie in [0, 1]. Those of a squared error may lie beyond.
    """
    images = self.reconstruction.images(self.decode(codes))
    if self.reconstruction.standardised and self.standardisation is not None:
      mean, std = self.standardisation
      images = images * tf.constant(std) + tf.constant(mean)
    return images

  def decode_images(self, codes):
    """Images in [0, 1] of `codes` [batch, latents]; points, of a set of points."""
    images = self.decode_unclipped(codes)
    return tf.clip_by_value(images, 0.0, 1.0) if len(images.shape) == 4 else images

  def reconstruct(self, images):
    """Images in [0, 1] decoded from the posterior's mean."""
    return self.decode_images(self.encode(images).mean())

  def call(self, images, training=False):
    return self.decode(self.encode(images, training).mean(), training)

  def compute_output_shape(self, input_shape):
    return (input_shape[0], *self.decoder.output_shape[1:])

  def unsupervised_terms(self, batch, seed, training):
    return self.terms_of(batch, self.encode(batch, training), seed, training)

  def terms_of(self, images, posterior, seed, training):
    """The terms of images whose latents are drawn from `posterior`."""
    codes = self.sample(posterior, seed)
    pixels = self.pixel_losses(images, codes, training)
    return {
      "reconstruction": self._reduce(pixels),
      **self.regularisation(posterior, codes, seed),
    }

  def pixel_losses(self, images, codes, training=False):
    """The reconstruction loss of every pixel of images in [0, 1], from their codes."""
    targets = self._standardise(images) if self.reconstruction.standardised else images
    return self.reconstruction(targets, self.decode(codes, training))

  def mean_terms_of(self, pair, posteriors, seed, training):
    """The mean of the terms of both images of a pair."""
    first, second = (
      self.terms_of(images, posterior, split_seed(seed, place), training)
      for images, posterior, place in zip(
        pair, posteriors, ("first", "second"), strict=True
      )
    )
    return {name: 0.5 * (first[name] + second[name]) for name in first}

  def regularisation(self, posterior, codes, seed):
    """Named terms that a subclass adds to the reconstruction loss.

    Args:
      posterior: [batch, latents].
      codes: drawn from it.
      seed: int32 [2], for whatever else has to be drawn; `split_seed` it.
    """
    del posterior, codes, seed
    return {}

  def _reduce(self, values):
    """Mean over the batch of the sum or mean over everything else."""
    each = _REDUCTIONS[self.reduction](values, axis=tuple(range(1, len(values.shape))))
    return tf.reduce_mean(each)

  def _of_all_latents(self, total):
    """A sum over the latents, as the reduction would have it."""
    return total / self.latents if self.reduction == "mean" else total

  def _check_that_networks_fit(self):
    values, latents = self.encoder.output_shape[-1], self.latents
    if values not in self._values_an_image():
      wanted = " or ".join(str(count) for count in self._values_an_image())
      raise UserError(
        f"the encoder gives {values} values per image, the decoder takes {latents} "
        f"latents: the encoder must give {wanted} (mean and log-variance)"
      )
    if self.encoder.input_shape[1:] != self.decoder.output_shape[1:]:
      raise UserError(
        f"the encoder takes images of shape {self.encoder.input_shape[1:]}, the "
        f"decoder gives {self.decoder.output_shape[1:]}: they must be the same"
      )

  def _values_an_image(self):
    return (self.latents, 2 * self.latents)
