"""Fully connected networks, for small worlds and quick runs.

Observations of any shape. disentanglement_lib's are 1200-1200 with ReLU and
1200-1200-1200 with tanh, Mathieu et al. 2019 take 100 for the pinwheel (Table 1b).
"""

import math

import keras
from keras import layers

from disentangle_tf.networks.heads import gaussian_head
from disentangle_tf.networks.parts import (
  check_sizes,
  codes_input,
  dense_layers,
  images_input,
)


def mlp_encoder(
  image_shape,
  *,
  latents,
  units=(256, 256),
  activation="relu",
  kernel_initializer="glorot_uniform",
):
  """Dense layers of `units`, then the Gaussian head."""
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
  image_shape,
  *,
  latents,
  units=(256, 256),
  activation="relu",
  kernel_initializer="glorot_uniform",
):
  """Dense layers of `units`, then a linear layer to the image's pixels."""
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
