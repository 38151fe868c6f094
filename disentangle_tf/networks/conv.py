"""The convolutional networks of the papers.

Michlo et al. 2023, Table A3; Locatello et al. 2019, Table 2; after Burgess et al. 2017.
Four convolutions of stride 2, "same" padding; 64x64 images in the papers, here any
height and width that 16 divides. Options reach the code of disentanglement_lib, and
Mathieu et al. 2019, Table 1a.
"""

from functools import partial

import keras
from keras import layers

from disentangle_tf.argument_checks import check_count
from disentangle_tf.networks.heads import gaussian_head
from disentangle_tf.networks.parts import (
  check_sizes,
  coarse_grid,
  codes_input,
  dense_layers,
  images_input,
)


def conv_encoder(
  image_shape,
  *,
  latents,
  kernel_sizes=(4, 4, 4, 4),
  dense_units=256,
  dense_activation="relu",
  kernel_initializer="glorot_uniform",
):
  """Conv 32, 32, 64, 64 (stride 2, ReLU), dense 256 (ReLU); then the Gaussian head.

  Args:
    image_shape: (height, width, channels).
    latents: the number of latents.
    kernel_sizes: of the convolutions; (4, 4, 2, 2) in disentanglement_lib's code.
    dense_units, dense_activation: 128 and None in Mathieu et al. 2019, Table 1a.
    kernel_initializer: of every layer.
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
  image_shape,
  *,
  latents,
  filters=(64, 32, 32),
  dense_units=256,
  kernel_initializer="glorot_uniform",
):
  """Dense 256, dense 1024, upconv 64, 32, 32, C (4x4, stride 2); ReLU but the last.

  Args:
    image_shape: (height, width, channels).
    latents: the number of latents.
    filters: of the first three upconvs; (64, 64, 32) in Mathieu et al. 2019, Table 1a.
    dense_units: of the first dense layer; 128 there.
    kernel_initializer: of every layer.
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
