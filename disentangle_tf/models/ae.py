"""AE, the deterministic autoencoder, without latent noise and prior."""

import math
from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import check_instance
from disentangle_tf.errors import UserError
from disentangle_tf.losses import ReconstructionLoss
from disentangle_tf.models.representation_model import RepresentationModel
from disentangle_tf.random_streams import split_seed
from disentangle_tf.tensor_types import Batch, Distribution, Tensor, Terms

_REDUCTIONS = {"mean": tf.reduce_mean, "sum": tf.reduce_sum}


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AE(RepresentationModel):
  """Autoencoder that minimises the reconstruction loss only.

  It takes images in [0, 1] and standardises them internally. If the encoder also gives
  log-variances, the model uses the means only.

  Args:
    encoder: keras.Model, images -> [batch, latents] or [batch, 2 * latents].
    decoder: keras.Model, [batch, latents] -> reconstruction parameters.
    reconstruction: a `losses.ReconstructionLoss`.
    reduction: "mean" over pixels and over latents (beta normalisation, Michlo et al.
      2023, App. B.1) or "sum" over both; always the mean over the batch. With "mean",
      penalties on the latents are divided by the number of latents, so every weight
      converts as beta_mean = beta_sum * latents / (height * width * channels).

  The other arguments are those of `RepresentationModel`.

  Raises:
    UserError: the networks do not fit each other, or an argument is out of range.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses, models, networks
    >>> model = models.AE(
    ...   networks.mlp_encoder((4, 4, 1), latents=2, units=(8,)),
    ...   networks.mlp_decoder((4, 4, 1), latents=2, units=(8,)),
    ...   losses.MSE(),
    ... )
    >>> images = np.zeros((8, 4, 4, 1), np.float32)
    >>> model.encode(images).mean().shape.as_list()
    [8, 2]
    >>> model.reconstruct(images).shape.as_list()
    [8, 4, 4, 1]
  """

  decoder: keras.Model
  reconstruction: ReconstructionLoss

  def __init__(
    self,
    encoder: keras.Model,
    decoder: keras.Model,
    reconstruction: ReconstructionLoss,
    *,
    reduction: str = "mean",
    **shared: Any,
  ) -> None:
    super().__init__(encoder, **shared)
    kind, loss = type(self).__name__, "losses.MSE()"
    if reduction not in tuple(_REDUCTIONS):
      raise UserError(f"{kind}.reduction is {reduction!r}: it must be 'mean' or 'sum'")
    check_instance(kind, keras.Model, "networks.mlp_decoder(...)", decoder=decoder)
    check_instance(kind, ReconstructionLoss, loss, reconstruction=reconstruction)
    self.decoder = decoder
    self.reconstruction = reconstruction
    self.reduction = reduction
    self._track_variables_of("reconstruction", reconstruction)
    self._check_that_networks_fit()

  @property
  def latents(self) -> int:
    """The number of latents."""
    return self.decoder.input_shape[-1]

  def sample(self, posterior: Distribution, seed: tf.Tensor) -> tf.Tensor:
    """Codes [batch, latents] to decode in training."""
    del seed
    return posterior.mean()

  def decode(self, codes: Tensor, training: bool = False) -> tf.Tensor:
    """Reconstruction parameters of `codes` [batch, latents]: the decoder's output."""
    return self.decoder(codes, training=training)

  def decode_unclipped(self, codes: Tensor) -> tf.Tensor:
    """Means of the pixels of `codes` [batch, latents], in the units of images.

    The loss's activation is applied and the standardisation undone. Means of a
    Bernoulli likelihood lie in [0, 1]; those of a squared error may lie outside.
    """
    images = self.reconstruction.images(self.decode(codes))
    if self.reconstruction.standardised and self.standardisation is not None:
      mean, std = self.standardisation
      images = images * tf.constant(std) + tf.constant(mean)
    return images

  def decode_images(self, codes: Tensor) -> tf.Tensor:
    """Images in [0, 1] of `codes` [batch, latents]; points are not clipped."""
    images = self.decode_unclipped(codes)
    return tf.clip_by_value(images, 0.0, 1.0) if len(images.shape) == 4 else images

  def reconstruct(self, images: Tensor) -> tf.Tensor:
    """Images in [0, 1] decoded from the posterior's mean."""
    return self.decode_images(self.encode(images).mean())

  def call(self, images: tf.Tensor, training: bool = False) -> tf.Tensor:
    return self.decode(self.encode(images, training).mean(), training)

  def compute_output_shape(
    self, input_shape: tuple[int | None, ...]
  ) -> tuple[int | None, ...]:
    return (input_shape[0], *self.decoder.output_shape[1:])

  def unsupervised_terms(self, batch: Batch, seed: tf.Tensor, training: bool) -> Terms:
    return self.terms_of(batch, self.encode(batch, training), seed, training)

  def terms_of(
    self, images: tf.Tensor, posterior: Distribution, seed: tf.Tensor, training: bool
  ) -> Terms:
    """Loss terms of images whose codes are drawn from `posterior`."""
    codes = self.sample(posterior, seed)
    each = self.reconstruction_losses(images, codes, training)
    return {
      "reconstruction": tf.reduce_mean(self._of_all_pixels(each)),
      **self.regularisation(posterior, codes, seed),
    }

  def reconstruction_losses(
    self, images: tf.Tensor, codes: tf.Tensor, training: bool = False
  ) -> tf.Tensor:
    """Reconstruction loss of images in [0, 1], given their codes.

    Returns:
      [batch], sums over the pixels of each image.
    """
    targets = self._standardise(images) if self.reconstruction.standardised else images
    return self.reconstruction.per_image(targets, self.decode(codes, training))

  def mean_terms_of(
    self,
    pair: Sequence[tf.Tensor],
    posteriors: Sequence[Distribution],
    seed: tf.Tensor,
    training: bool,
  ) -> Terms:
    """Mean of the loss terms of both images of a pair, which are decoded together."""
    seeds = [split_seed(seed, place) for place in ("first", "second")]
    codes = [self.sample(*drawn) for drawn in zip(posteriors, seeds, strict=True)]
    each = self.reconstruction_losses(
      tf.concat(pair[:2], axis=0), tf.concat(codes, axis=0), training
    )
    first, second = (
      self.regularisation(*drawn)
      for drawn in zip(posteriors, codes, seeds, strict=True)
    )
    return {
      "reconstruction": tf.reduce_mean(self._of_all_pixels(each)),
      **{name: 0.5 * (first[name] + second[name]) for name in first},
    }

  def regularisation(
    self, posterior: Distribution, codes: tf.Tensor, seed: tf.Tensor
  ) -> Terms:
    """Named terms that a subclass adds to the reconstruction loss.

    Args:
      posterior: tfp distribution [batch, latents].
      codes: [batch, latents], drawn from the posterior.
      seed: int32 [2] for further draws, each with its own `split_seed`.
    """
    del posterior, codes, seed
    return {}

  def _reduce(self, values: tf.Tensor) -> tf.Tensor:
    """Mean over the batch of the sum or mean over the other axes."""
    each = _REDUCTIONS[self.reduction](values, axis=tuple(range(1, len(values.shape))))
    return tf.reduce_mean(each)

  def _of_all_pixels(self, total: tf.Tensor) -> tf.Tensor:
    """Divide a sum over the pixels by their number if the reduction is "mean"."""
    pixels = math.prod(self.encoder.input_shape[1:])
    return total / pixels if self.reduction == "mean" else total

  def _of_all_latents(self, total: tf.Tensor) -> tf.Tensor:
    """Divide a sum over the latents by their number if the reduction is "mean"."""
    return total / self.latents if self.reduction == "mean" else total

  def _check_that_networks_fit(self) -> None:
    values, latents = self.encoder.output_shape[-1], self.latents
    if values not in self._values_per_image():
      wanted = " or ".join(str(count) for count in self._values_per_image())
      raise UserError(
        f"the encoder gives {values} values per image, the decoder takes {latents} "
        f"latents: the encoder must give {wanted} (mean and log-variance)"
      )
    if self.encoder.input_shape[1:] != self.decoder.output_shape[1:]:
      raise UserError(
        f"the encoder takes images of shape {self.encoder.input_shape[1:]}, the "
        f"decoder gives {self.decoder.output_shape[1:]}: they must be the same"
      )

  def _values_per_image(self) -> tuple[int, ...]:
    return (self.latents, 2 * self.latents)
