"""The networks of DCGAN, with batch normalisation, as an encoder and a decoder.

Mathieu et al. 2019, Table 1c; after Radford et al. 2015, from whom the initial weights
are. 64x64 images in the paper, here any height and width that 16 divides: the layers
between the coarse grid (4x4 there) and the codes span the whole grid. Momentum and
epsilon are those of the paper's PyTorch layers; statistics are of all replicas' images.
Call them with `training=True` in a training step: otherwise nothing is learnt of the
statistics, nor are the batch's used.
"""

from functools import partial

import keras
from keras import layers

from disentangle_tf.networks.heads import gaussian_head
from disentangle_tf.networks.parts import coarse_grid, codes_input, images_input

_NORMAL = {"class_name": "RandomNormal", "config": {"stddev": 0.02}}


def dcgan_encoder(image_shape, *, latents, kernel_initializer=_NORMAL):
  """Conv 32, 64, 128, 256 (4x4, stride 2), each normalised, leaky ReLU; the head."""
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


def dcgan_decoder(image_shape, *, latents, kernel_initializer=_NORMAL):
  """Upconv 256, 128, 64, 32, each normalised, ReLU; C. 4x4, stride 2 but the first.

  The first is as large as the coarse grid.
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


def _normalised(features, activation):
  # Unless synchronised, each replica would keep moving averages of its own.
  features = layers.BatchNormalization(momentum=0.9, epsilon=1e-5, synchronized=True)(
    features
  )
  return layers.Activation(activation)(features)
