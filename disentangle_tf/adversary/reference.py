"""A trained model whose reconstructions the adversary compares."""

from __future__ import annotations

import dataclasses
import typing

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError

if typing.TYPE_CHECKING:
  from disentangle_tf.data import GroundTruthData


# Largest ratio of an entangled reference's squared error to a disentangled one's.
MOST_ABOVE = 1.1

_NUM_COMPARED = 1024  # images


def compared_points(data: GroundTruthData) -> np.ndarray:
  """Factors [points, factors] of the images on which references are compared."""
  return data.factors.draw(_NUM_COMPARED, np.random.default_rng(0))


@dataclasses.dataclass(frozen=True, eq=False)
class Reference:
  """A model whose encoder is frozen, so that its posteriors are constant.

  Attributes:
    model: the Keras model; its decoder continues to learn.
    means, scales: [images, latents] of the posteriors of the original images, in index
      order.
    name: its name in messages and in the manifest.
    told: {name: value} that the manifest records about it.

  Example:
    >>> from disentangle_tf import adversary, data, losses, models, networks
    >>> squares = data.XYSquares(
    ...   image_size=8, square_size=2, grid_spacing=2, num_squares=1
    ... )
    >>> shape = squares.observation_shape
    >>> encoder = networks.mlp_encoder(shape, latents=2)
    >>> decoder = networks.mlp_decoder(shape, latents=2)
    >>> model = models.BetaVAE(encoder, decoder, losses.MSE(), beta=0.1)
    >>> reference = adversary.Reference.of_model(model, squares, "seed 1")
    >>> reference.means.shape == (squares.factors.num_points, 2)
    True
  """

  model: keras.Model
  means: np.ndarray
  scales: np.ndarray
  name: str = ""
  told: dict = dataclasses.field(default_factory=dict)

  @classmethod
  def of_model(
    cls,
    model: keras.Model,
    data: GroundTruthData,
    name: str = "",
    *,
    told: dict | None = None,
    batch_size: int = 256,
  ) -> Reference:
    """Encode all of `data`.

    Args:
      model: the `RepresentationModel`, with a decoder.
      data: a `GroundTruthData` with one image per point.
      name, told: as for the class.
      batch_size: images encoded at a time.

    Raises:
      UserError: if there is no decoder, or points have several images.
    """
    if model.decoder is None:
      raise UserError(f"the reference {name or type(model).__name__} has no decoder")
    if not data.one_image_per_point:
      raise UserError(
        f"{data.name} draws new noise for each image: the adversary needs one image "
        "per point"
      )
    means, scales = [], []
    for _, images in data.in_order(batch_size):
      posterior = model.encode(images)
      means.append(posterior.mean().numpy())
      scales.append(posterior.stddev().numpy())
    return cls(model, np.concatenate(means), np.concatenate(scales), name, told or {})

  def draw(self, places: np.ndarray, noise: tf.Tensor) -> tf.Tensor:
    """Codes [samples, batch, latents] of the images at `places` [batch].

    Args:
      noise: [samples, batch, latents], standard normal.
    """
    means = tf.gather(tf.constant(self.means), places)
    return means + tf.gather(tf.constant(self.scales), places) * noise

  def reconstruction_loss(self, images: tf.Tensor, codes: tf.Tensor) -> tf.Tensor:
    """The model's own loss: the sum over pixels, the mean over images and samples.

    Args:
      images: [batch, height, width, channels] in [0, 1].
      codes: [samples, batch, latents].
    """
    samples = codes.shape[0]
    assert samples is not None  # `Manipulator` fixes it
    images = tf.tile(images, [samples, 1, 1, 1])
    pixels = self.model.pixel_losses(images, tf.reshape(codes, [-1, codes.shape[-1]]))
    return tf.reduce_mean(tf.reduce_sum(pixels, axis=tuple(range(1, pixels.ndim))))

  def squared_error(self, images: np.ndarray, places: np.ndarray) -> float:
    """Squared error at one sampled code per image: sum over pixels, mean over images.

    It compares models with different losses.

    Args:
      images: [batch, height, width, channels], original images.
      places: [batch], their positions in index order.
    """
    shape = (1, len(places), self.means.shape[1])
    noise = tf.constant(np.random.default_rng(0).standard_normal(shape, np.float32))
    decoded = self.model.decode_images(self.draw(places, noise)[0])
    return float(np.mean(np.sum((decoded - images) ** 2, axis=(1, 2, 3))))
