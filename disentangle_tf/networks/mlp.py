"""Fully connected networks, for small worlds and quick runs."""

import math

import keras
from keras import layers

from disentangle_tf.errors import UserError
from disentangle_tf.networks.heads import gaussian_head


def mlp_encoder(
  image_shape,
  *,
  latents,
  units=(256, 256),
  activation="relu",
  kernel_initializer="glorot_uniform",
):
  """Dense layers of `units`, then the Gaussian head."""
  images = keras.Input(image_shape, name="images")
  pixels = layers.Flatten()(images)
  features = _dense_layers(pixels, units, activation, kernel_initializer)
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
  codes = keras.Input((latents,), name="codes")
  features = _dense_layers(codes, units, activation, kernel_initializer)
  pixels = layers.Dense(
    math.prod(image_shape), kernel_initializer=kernel_initializer, dtype="float32"
  )(features)
  outputs = layers.Reshape(tuple(image_shape), dtype="float32")(pixels)
  return keras.Model(codes, outputs, name="mlp_decoder")


def _dense_layers(features, units, activation, kernel_initializer):
  if not isinstance(units, tuple | list):
    raise UserError(f"units is {units!r}: it must list widths, such as (256, 256)")
  for width in units:
    features = layers.Dense(
      width, activation=activation, kernel_initializer=kernel_initializer
    )(features)
  return features
