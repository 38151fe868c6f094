"""Networks of the linear VAE, which performs PCA.

Lucas et al. 2019, "Don't Blame the ELBO!"; Zietlow et al. 2021, Theorem 1. Means and
reconstructions are affine; the log-variances do not depend on the image, which the best
posterior of a linear decoder does not either.
"""

import keras
from keras import layers

from disentangle_tf.networks.heads import gaussian_head
from disentangle_tf.networks.mlp import mlp_decoder
from disentangle_tf.networks.parts import images_input


def linear_encoder(image_shape, *, latents, kernel_initializer="glorot_uniform"):
  """Means affine in the image; one free log-variance per latent."""
  images = images_input(image_shape)
  outputs = gaussian_head(
    layers.Flatten()(images),
    latents=latents,
    kernel_initializer=kernel_initializer,
    constant_variance=True,
  )
  return keras.Model(images, outputs, name="linear_encoder")


def linear_decoder(image_shape, *, latents, kernel_initializer="glorot_uniform"):
  """Pixels affine in the codes."""
  return mlp_decoder(
    image_shape, latents=latents, units=(), kernel_initializer=kernel_initializer
  )
