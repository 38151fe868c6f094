"""Networks of the linear VAE, which performs PCA.

Lucas et al. 2019, "Don't Blame the ELBO!"; Zietlow et al. 2021, Theorem 1. Means and
reconstructions are affine. The log-variances do not depend on the image, because the
optimal posterior of a linear decoder has the same variance for every image.
"""

from collections.abc import Sequence

import keras
from keras import layers

from disentangle_tf.networks.heads import gaussian_head
from disentangle_tf.networks.mlp import mlp_decoder
from disentangle_tf.networks.parts import Initializer, images_input


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
