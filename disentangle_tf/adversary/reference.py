"""A trained model that the adversary plays against or with."""

import dataclasses

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError

MOST_ABOVE = 1.1  # an entangled reference's squared error may be so many times as large

_NUM_COMPARED = 1024  # images


def compared_points(data):
  """Factors [points, factors] of the images that references are compared on."""
  return data.factors.draw(_NUM_COMPARED, np.random.default_rng(0))


@dataclasses.dataclass(frozen=True, eq=False)
class Reference:
  """A model whose encoder is frozen, so that its posteriors never change.

  Attributes:
    model: the Keras model; its decoder goes on learning.
    means, scales: [images, latents] of the posteriors of the original images, in index
      order.
    name: what to call it.
    told: {name: value}, what a manifest is to say of it besides.
  """

  model: keras.Model
  means: np.ndarray
  scales: np.ndarray
  name: str = ""
  told: dict = dataclasses.field(default_factory=dict)

  @classmethod
  def of_model(cls, model, data, name="", *, told=None, batch_size=256):
    """Encodes the whole of `data`, a set with one image per point."""
    if model.decoder is None:
      raise UserError(f"the reference {name or type(model).__name__} has no decoder")
    if not data.one_image_per_point:
      raise UserError(
        f"{data.name} shows a point with other noise each time: the adversary needs "
        "one image per point"
      )
    means, scales = [], []
    for _, images in data.in_order(batch_size):
      posterior = model.encode(images)
      means.append(posterior.mean().numpy())
      scales.append(posterior.stddev().numpy())
    return cls(model, np.concatenate(means), np.concatenate(scales), name, told or {})

  def draw(self, places, noise):
    """Codes [samples, batch, latents] of the images at `places` [batch].

    Args:
      noise: [samples, batch, latents], standard normal.
    """
    means = tf.gather(tf.constant(self.means), places)
    return means + tf.gather(tf.constant(self.scales), places) * noise

  def reconstruction_loss(self, images, codes):
    """Sum over pixels, mean over images and samples, of the model's own loss.

    Args:
      images: [batch, height, width, channels] in [0, 1].
      codes: [samples, batch, latents].
    """
    images = tf.tile(images, [codes.shape[0], 1, 1, 1])
    pixels = self.model.pixel_losses(images, tf.reshape(codes, [-1, codes.shape[-1]]))
    return tf.reduce_mean(tf.reduce_sum(pixels, axis=tuple(range(1, pixels.ndim))))

  def squared_error(self, images, places):
    """Sum over pixels, mean over images, of one sampled code each.

    It compares models whatever their loss is; a density has no natural zero.

    Args:
      images: [batch, height, width, channels], the original ones.
      places: [batch], where they are in index order.
    """
    shape = (1, len(places), self.means.shape[1])
    noise = np.random.default_rng(0).standard_normal(shape, np.float32)
    decoded = self.model.decode_images(self.draw(places, noise)[0])
    return float(np.mean(np.sum((decoded - images) ** 2, axis=(1, 2, 3))))
