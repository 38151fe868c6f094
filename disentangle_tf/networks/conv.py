"""The convolutional networks of Locatello et al. 2019 and Michlo et al. 2023.

Locatello et al., Table 2; Michlo et al., Table A3; after Burgess et al. 2017. Four
convolutions of stride 2 with "same" padding. The papers use 64x64 images; these accept
any height and width divisible by 16. The arguments also cover the variants in the code
of disentanglement_lib and in Mathieu et al. 2019, Table 1a.
"""

from collections.abc import Callable, Sequence
from functools import partial

import keras
from keras import layers

from disentangle_tf.arguments import check_count
from disentangle_tf.networks.parts import (
  Initializer,
  check_sizes,
  coarse_grid,
  codes_input,
  dense_layers,
  gaussian_head,
  images_input,
)


def conv_encoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  kernel_sizes: Sequence[int] = (4, 4, 4, 4),
  dense_units: int = 256,
  dense_activation: str | Callable | None = "relu",
  kernel_initializer: Initializer = "glorot_uniform",
) -> keras.Model:
  """Convolutional encoder: 32, 32, 64, 64 filters, dense 256, Gaussian head.

  The convolutions have stride 2 and ReLU.

  Args:
    image_shape: (height, width, channels); 16 divides height and width.
    latents: number of latents.
    kernel_sizes: one per convolution; (4, 4, 2, 2) in disentanglement_lib's code.
    dense_units: size of the dense layer; 128 in Mathieu et al. 2019, Table 1a.
    dense_activation: its activation; None in Mathieu et al.
    kernel_initializer: Keras initialiser of every layer.

  Returns:
    keras.Model, [batch, height, width, channels] -> [batch, 2 * latents].

  Raises:
    UserError: 16 does not divide the height and width, or a size is not a whole number
      from 1 up.

  Example:
    >>> from disentangle_tf import networks
    >>> encoder = networks.conv_encoder((16, 16, 3), latents=4, dense_units=8)
    >>> encoder.output_shape
    (None, 8)
  """
  coarse_grid(image_shape)
  check_sizes("kernel_sizes", kernel_sizes, count=4)
  check_count("conv_encoder", dense_units=dense_units)
  images = images_input(image_shape)
  features = images
  for filters, kernel_size in zip((32, 32, 64, 64), kernel_sizes, strict=True):
    features = layers.Conv2D(
      filters,
      kernel_size,
      strides=2,
      padding="same",
      activation="relu",
      kernel_initializer=kernel_initializer,
    )(features)
  features = dense_layers(
    layers.Flatten()(features),
    (dense_units,),
    activation=dense_activation,
    kernel_initializer=kernel_initializer,
  )
  outputs = gaussian_head(
    features, latents=latents, kernel_initializer=kernel_initializer
  )
  return keras.Model(images, outputs, name="conv_encoder")


def conv_decoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  filters: Sequence[int] = (64, 32, 32),
  dense_units: int = 256,
  kernel_initializer: Initializer = "glorot_uniform",
) -> keras.Model:
  """Convolutional decoder: dense 256, dense to the coarse grid, four upconvolutions.

  The upconvolutions are 4x4 with stride 2. Every layer except the last has ReLU.

  Args:
    image_shape: (height, width, channels); 16 divides height and width.
    latents: number of latents.
    filters: of the first three upconvolutions; (64, 64, 32) in Mathieu et al. 2019,
      Table 1a. The last has one filter per channel.
    dense_units: size of the first dense layer; 128 in Mathieu et al.
    kernel_initializer: Keras initialiser of every layer.

  Returns:
    keras.Model, [batch, latents] -> [batch, height, width, channels].

  Raises:
    UserError: 16 does not divide the height and width, or a size is not a whole number
      from 1 up.

  Example:
    >>> from disentangle_tf import networks
    >>> decoder = networks.conv_decoder((16, 16, 3), latents=4, dense_units=8)
    >>> decoder.output_shape
    (None, 16, 16, 3)
  """
  height, width = coarse_grid(image_shape)
  check_sizes("filters", filters, count=3)
  check_count("conv_decoder", dense_units=dense_units)
  codes = codes_input(latents)
  features = dense_layers(
    codes,
    (dense_units, height * width * 64),
    activation="relu",
    kernel_initializer=kernel_initializer,
  )
  features = layers.Reshape((height, width, 64))(features)
  upconv = partial(
    layers.Conv2DTranspose,
    kernel_size=4,
    strides=2,
    padding="same",
    kernel_initializer=kernel_initializer,
  )
  for count in filters:
    features = upconv(count, activation="relu")(features)
  outputs = upconv(image_shape[-1], dtype="float32")(features)
  return keras.Model(codes, outputs, name="conv_decoder")
