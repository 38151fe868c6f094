"""The convolutional networks of the papers.

Michlo et al. 2023, Table A3; Locatello et al. 2019, Table 2; after Burgess et al. 2017.
Four convolutions of stride 2, "same" padding; 64x64 images in the papers, here any
height and width that 16 divides.
"""

import keras
from keras import layers

from disentangle_tf.errors import UserError
from disentangle_tf.networks.heads import gaussian_head

_STRIDE = 16  # of the four layers together


def conv_encoder(image_shape, *, latents, kernel_initializer="glorot_uniform"):
  """Conv 32, 32, 64, 64 (4x4, stride 2), dense 256, ReLU; then the Gaussian head."""
  _check_divisible(image_shape)
  images = keras.Input(image_shape, name="images")
  features = images
  for filters in (32, 32, 64, 64):
    features = layers.Conv2D(
      filters,
      4,
      strides=2,
      padding="same",
      activation="relu",
      kernel_initializer=kernel_initializer,
    )(features)
  features = layers.Flatten()(features)
  features = layers.Dense(
    256, activation="relu", kernel_initializer=kernel_initializer
  )(features)
  outputs = gaussian_head(
    features, latents=latents, kernel_initializer=kernel_initializer
  )
  return keras.Model(images, outputs, name="conv_encoder")


def conv_decoder(image_shape, *, latents, kernel_initializer="glorot_uniform"):
  """Dense 256, dense 1024, upconv 64, 32, 32, C (4x4, stride 2); ReLU but the last."""
  _check_divisible(image_shape)
  height, width, channels = image_shape
  grid = (height // _STRIDE, width // _STRIDE, 64)
  codes = keras.Input((latents,), name="codes")
  features = codes
  for units in (256, grid[0] * grid[1] * grid[2]):
    features = layers.Dense(
      units, activation="relu", kernel_initializer=kernel_initializer
    )(features)
  features = layers.Reshape(grid)(features)
  for filters in (64, 32, 32):
    features = layers.Conv2DTranspose(
      filters,
      4,
      strides=2,
      padding="same",
      activation="relu",
      kernel_initializer=kernel_initializer,
    )(features)
  outputs = layers.Conv2DTranspose(
    channels,
    4,
    strides=2,
    padding="same",
    kernel_initializer=kernel_initializer,
    dtype="float32",
  )(features)
  return keras.Model(codes, outputs, name="conv_decoder")


def _check_divisible(image_shape):
  height, width, _ = image_shape
  if height % _STRIDE or width % _STRIDE:
    raise UserError(
      f"the convolutional networks halve the image four times, so {height}x{width} "
      f"does not fit: use sides that {_STRIDE} divides, or networks.mlp_encoder"
    )
