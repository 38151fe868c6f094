"""The spatial broadcast decoder: every pixel is drawn from the codes and its place.

Watters et al. 2019, "Spatial Broadcast Decoder: A Simple Architecture for Learning
Disentangled Representations in VAEs". Images of any height and width.
"""

from functools import partial

import keras
import numpy as np
from keras import layers, ops

from disentangle_tf.networks.parts import check_image, check_sizes, codes_input


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SpatialBroadcast(layers.Layer):
  """[batch, latents] -> [batch, height, width, latents + 2]: codes, then x and y.

  x goes from -1 at the left to 1 at the right, y from -1 at the top to 1 at the bottom.

  Args:
    height, width: of the grid.
    options: as for any Keras layer.
  """

  def __init__(self, height, width, **options):
    super().__init__(**options)
    self.height = height
    self.width = width

  def call(self, codes):
    batch, latents = ops.shape(codes)
    x, y = np.meshgrid(np.linspace(-1, 1, self.width), np.linspace(-1, 1, self.height))
    places = ops.cast(np.stack([x, y], axis=-1), codes.dtype)
    shape = (batch, self.height, self.width)
    tiled = ops.broadcast_to(codes[:, None, None, :], (*shape, latents))
    return ops.concatenate([tiled, ops.broadcast_to(places, (*shape, 2))], axis=-1)

  def get_config(self):
    return {**super().get_config(), "height": self.height, "width": self.width}


def spatial_broadcast_decoder(
  image_shape, *, latents, filters=(64, 64), kernel_initializer="glorot_uniform"
):
  """Codes and coordinates at every pixel, conv 64, 64 (4x4, stride 1, ReLU), C.

  Args:
    image_shape: (height, width, channels).
    latents: the number of latents.
    filters: of the convolutions before the last.
    kernel_initializer: of every layer.
  """
  check_image(image_shape)
  check_sizes("filters", filters)
  height, width, channels = image_shape
  codes = codes_input(latents)
  features = SpatialBroadcast(height, width)(codes)
  conv = partial(
    layers.Conv2D,
    kernel_size=4,
    padding="same",
    kernel_initializer=kernel_initializer,
  )
  for count in filters:
    features = conv(count, activation="relu")(features)
  outputs = conv(channels, dtype="float32")(features)
  return keras.Model(codes, outputs, name="spatial_broadcast_decoder")
