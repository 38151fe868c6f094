"""Encoders and decoders of dense layers, linear ones, and FactorVAE's discriminator."""

import math
from collections.abc import Callable, Sequence

import keras
from keras import layers

from disentangle_tf.networks.parts import (
  Initializer,
  check_sizes,
  codes_input,
  dense_layers,
  gaussian_head,
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


def linear_encoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  kernel_initializer: Initializer = "glorot_uniform",
) -> keras.Model:
  """Linear encoder: means affine in the image, one free log-variance per latent.

  Args:
    image_shape: shape of one observation, of any rank.
    latents: number of latents.
    kernel_initializer: Keras initialiser of the weights of the means.

  Returns:
    keras.Model, [batch, *image_shape] -> [batch, 2 * latents].

  Reference: Lucas et al., 2019, "Don't Blame the ELBO! A Linear VAE Perspective on
  Posterior Collapse".

  Example:
    >>> from disentangle_tf import networks
    >>> encoder = networks.linear_encoder((4, 4, 1), latents=2)
    >>> encoder.output_shape
    (None, 4)
    >>> encoder.count_params()  # 16 weights and a bias per mean; 2 log-variances
    36
  """
  images = images_input(image_shape)
  outputs = gaussian_head(
    layers.Flatten()(images),
    latents=latents,
    kernel_initializer=kernel_initializer,
    constant_variance=True,
  )
  return keras.Model(images, outputs, name="linear_encoder")


def linear_decoder(
  image_shape: Sequence[int],
  *,
  latents: int,
  kernel_initializer: Initializer = "glorot_uniform",
) -> keras.Model:
  """Linear decoder: pixels affine in the codes.

  Args:
    image_shape: shape of one observation, of any rank.
    latents: number of latents.
    kernel_initializer: Keras initialiser of the weights.

  Returns:
    keras.Model, [batch, latents] -> [batch, *image_shape].

  Reference: Lucas et al., 2019, "Don't Blame the ELBO! A Linear VAE Perspective on
  Posterior Collapse".

  Example:
    >>> from disentangle_tf import networks
    >>> networks.linear_decoder((4, 4, 1), latents=2).output_shape
    (None, 4, 4, 1)
  """
  return mlp_decoder(
    image_shape, latents=latents, units=(), kernel_initializer=kernel_initializer
  )


def mlp_discriminator(
  latents: int,
  *,
  units: Sequence[int] = (1000,) * 6,
  kernel_initializer: Initializer = "glorot_uniform",
) -> keras.Model:
  """Discriminator of FactorVAE: dense layers with leaky ReLU, then two logits.

  Args:
    latents: number of latents.
    units: size of each dense layer; the paper has six of 1000.
    kernel_initializer: Keras initialiser of every layer.

  Returns:
    keras.Model, [batch, latents] -> [batch, 2] logits.

  Reference: Kim & Mnih, 2018, "Disentangling by Factorising", appendix A.

  Example:
    >>> from disentangle_tf import networks
    >>> networks.mlp_discriminator(4, units=(8, 8)).output_shape
    (None, 2)
  """
  codes = codes_input(latents)
  features = dense_layers(
    codes, units, activation="leaky_relu", kernel_initializer=kernel_initializer
  )
  logits = layers.Dense(
    2, kernel_initializer=kernel_initializer, dtype="float32", name="logits"
  )(features)
  return keras.Model(codes, logits, name="mlp_discriminator")
