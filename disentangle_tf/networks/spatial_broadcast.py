"""The spatial broadcast decoder: each pixel from the codes and its coordinates.

Watters et al. 2019, "Spatial Broadcast Decoder: A Simple Architecture for Learning
Disentangled Representations in VAEs". Images of any height and width.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import keras
import numpy as np
from keras import layers

from disentangle_tf.networks.parts import (
  Initializer,
  check_image,
  check_sizes,
  codes_input,
)

ops: Any = keras.ops  # whose declared types are wrong


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SpatialBroadcast(layers.Layer):
  """Repeat the codes at every pixel and append the pixel's x and y.

  Maps [batch, latents] to [batch, height, width, latents + 2]. x goes from -1 at the
  left to 1 at the right, y from -1 at the top to 1 at the bottom.

  Args:
    height: rows of the grid.
    width: columns of the grid.
    options: as for any Keras layer.
  """

  def __init__(self, height: int, width: int, **options: Any) -> None:
    super().__init__(**options)
    self.height = height
    self.width = width

  def call(self, codes: keras.KerasTensor) -> keras.KerasTensor:
    batch, latents = ops.shape(codes)
    x, y = np.meshgrid(np.linspace(-1, 1, self.width), np.linspace(-1, 1, self.height))
    places = ops.cast(np.stack([x, y], axis=-1), codes.dtype)
    shape = (batch, self.height, self.width)
    tiled = ops.broadcast_to(codes[:, None, None, :], (*shape, latents))
    return ops.concatenate([tiled, ops.broadcast_to(places, (*shape, 2))], axis=-1)

  def get_config(self) -> dict:
    return {**super().get_config(), "height": self.height, "width": self.width}


def spatial_broadcast_decoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  filters: Sequence[int] = (64, 64),
  kernel_initializer: Initializer = "glorot_uniform",
) -> keras.Model:
  """Spatial broadcast decoder: codes and coordinates at every pixel, convolutions.

  The convolutions are 4x4 with stride 1. Every one except the last has ReLU.

  Args:
    image_shape: (height, width, channels), of any height and width.
    latents: number of latents.
    filters: of the convolutions before the last, which has one filter per channel.
    kernel_initializer: Keras initialiser of every layer.

  Returns:
    keras.Model, [batch, latents] -> [batch, height, width, channels].

  Reference: Watters et al., 2019, "Spatial Broadcast Decoder: A Simple Architecture for
  Learning Disentangled Representations in VAEs".

  Example:
    >>> from disentangle_tf import networks
    >>> decoder = networks.spatial_broadcast_decoder(
    ...   (10, 12, 3), latents=4, filters=(8,)
    ... )
    >>> decoder.output_shape
    (None, 10, 12, 3)
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
