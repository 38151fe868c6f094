"""The networks of DCGAN, with batch normalisation, as an encoder and a decoder.

Mathieu et al. 2019, Table 1c; architecture and initial weights after Radford et al.
2015. The paper uses 64x64 images; these accept any height and width divisible by 16.
The layers between the coarse grid (4x4 in the paper) and the codes span the whole grid.
Momentum and epsilon are those of the paper's PyTorch layers. Batch statistics cover the
images of all replicas.

Call the networks with `training=True` in a training step. Otherwise batch normalisation
neither uses the statistics of the batch nor updates its moving averages.
"""

from collections.abc import Sequence
from functools import partial

import keras
from keras import layers

from disentangle_tf.networks.parts import (
  Initializer,
  coarse_grid,
  codes_input,
  gaussian_head,
  images_input,
)

_NORMAL = {"class_name": "RandomNormal", "config": {"stddev": 0.02}}


def dcgan_encoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  kernel_initializer: Initializer = _NORMAL,
) -> keras.Model:
  """DCGAN encoder: 32, 64, 128, 256 filters with batch normalisation, Gaussian head.

  The convolutions are 4x4 with stride 2 and leaky ReLU of slope 0.2.

  Args:
    image_shape: (height, width, channels); 16 divides height and width.
    latents: number of latents.
    kernel_initializer: Keras initialiser of every layer; by default N(0, 0.02^2).

  Returns:
    keras.Model, [batch, height, width, channels] -> [batch, 2 * latents].

  Raises:
    UserError: 16 does not divide the height and width.

  Example:
    >>> from disentangle_tf import networks
    >>> networks.dcgan_encoder((16, 16, 3), latents=4).output_shape
    (None, 8)
  """
  coarse_grid(image_shape)
  images = images_input(image_shape)
  features = images
  for filters in (32, 64, 128, 256):
    conv = layers.Conv2D(
      filters,
      4,
      strides=2,
      padding="same",
      use_bias=False,
      kernel_initializer=kernel_initializer,
    )
    features = _normalised(conv(features), "leaky_relu")  # of slope 0.2
  outputs = gaussian_head(
    layers.Flatten()(features), latents=latents, kernel_initializer=kernel_initializer
  )
  return keras.Model(images, outputs, name="dcgan_encoder")


def dcgan_decoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  kernel_initializer: Initializer = _NORMAL,
) -> keras.Model:
  """DCGAN decoder: upconvolutions of 256, 128, 64, 32 filters, then the channels.

  The first upconvolution produces the coarse grid; the others are 4x4 with stride 2.
  Every layer except the last has batch normalisation and ReLU.

  Args:
    image_shape: (height, width, channels); 16 divides height and width.
    latents: number of latents.
    kernel_initializer: Keras initialiser of every layer; by default N(0, 0.02^2).

  Returns:
    keras.Model, [batch, latents] -> [batch, height, width, channels].

  Raises:
    UserError: 16 does not divide the height and width.

  Example:
    >>> from disentangle_tf import networks
    >>> networks.dcgan_decoder((16, 16, 3), latents=4).output_shape
    (None, 16, 16, 3)
  """
  grid = coarse_grid(image_shape)
  codes = codes_input(latents)
  upconv = partial(
    layers.Conv2DTranspose, padding="same", kernel_initializer=kernel_initializer
  )
  features = layers.Reshape((1, 1, latents))(codes)
  features = upconv(256, grid, padding="valid", use_bias=False)(features)
  features = _normalised(features, "relu")
  for filters in (128, 64, 32):
    features = upconv(filters, 4, strides=2, use_bias=False)(features)
    features = _normalised(features, "relu")
  outputs = upconv(image_shape[-1], 4, strides=2, dtype="float32")(features)
  return keras.Model(codes, outputs, name="dcgan_decoder")


def _normalised(features: keras.KerasTensor, activation: str) -> keras.KerasTensor:
  # Without synchronisation each replica would keep its own moving averages.
  features = layers.BatchNormalization(momentum=0.9, epsilon=1e-5, synchronized=True)(
    features
  )
  return layers.Activation(activation)(features)
