"""Fully connected networks, for observations of any shape and for quick runs.

In the papers: disentanglement_lib has an encoder of 1200-1200 with ReLU and a decoder
of 1200-1200-1200 with tanh; Mathieu et al. 2019 use one layer of 100 for the pinwheel
(Table 1b).
"""

import math
from collections.abc import Callable, Sequence

import keras
from keras import layers

from disentangle_tf.networks.heads import gaussian_head
from disentangle_tf.networks.parts import (
  Initializer,
  check_sizes,
  codes_input,
  dense_layers,
  images_input,
)


def mlp_encoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  units: Sequence[int] = (256, 256),
  activation: str | Callable | None = "relu",
  kernel_initializer: Initializer = "glorot_uniform",
) -> keras.Model:
  """Fully connected encoder: dense layers, then the Gaussian head.

  Args:
    image_shape: shape of one observation, of any rank.
    latents: number of latents.
    units: size of each dense layer; () gives none.
    activation: of the dense layers.
    kernel_initializer: Keras initialiser of every layer.

  Returns:
    keras.Model, [batch, *image_shape] -> [batch, 2 * latents].

  Example:
    >>> from disentangle_tf import networks
    >>> networks.mlp_encoder((8, 8, 1), latents=3, units=(16,)).output_shape
    (None, 6)
  """
  images = images_input(image_shape)
  features = dense_layers(
    layers.Flatten()(images),
    units,
    activation=activation,
    kernel_initializer=kernel_initializer,
  )
  outputs = gaussian_head(
    features, latents=latents, kernel_initializer=kernel_initializer
  )
  return keras.Model(images, outputs, name="mlp_encoder")


def mlp_decoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  units: Sequence[int] = (256, 256),
  activation: str | Callable | None = "relu",
  kernel_initializer: Initializer = "glorot_uniform",
) -> keras.Model:
  """Fully connected decoder: dense layers, then a linear layer to the pixels.

  Args:
    image_shape: shape of one observation, of any rank.
    latents: number of latents.
    units: size of each dense layer; () gives none.
    activation: of the dense layers.
    kernel_initializer: Keras initialiser of every layer.

  Returns:
    keras.Model, [batch, latents] -> [batch, *image_shape].

  Example:
    >>> from disentangle_tf import networks
    >>> networks.mlp_decoder((8, 8, 1), latents=3, units=(16,)).output_shape
    (None, 8, 8, 1)
  """
  check_sizes("image_shape", image_shape)
  codes = codes_input(latents)
  features = dense_layers(
    codes, units, activation=activation, kernel_initializer=kernel_initializer
  )
  pixels = layers.Dense(
    math.prod(image_shape), kernel_initializer=kernel_initializer, dtype="float32"
  )(features)
  outputs = layers.Reshape(tuple(image_shape), dtype="float32")(pixels)
  return keras.Model(codes, outputs, name="mlp_decoder")
