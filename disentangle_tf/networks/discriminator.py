"""The discriminator of FactorVAE.

Kim & Mnih 2018, appendix A; Locatello et al. 2019, Table 4b.
"""

from collections.abc import Sequence

import keras
from keras import layers

from disentangle_tf.networks.parts import Initializer, codes_input, dense_layers


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
