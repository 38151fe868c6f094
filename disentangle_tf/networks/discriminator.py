"""The discriminator of FactorVAE.

Kim & Mnih 2018, appendix A; Locatello et al. 2019, Table 4b.
"""

import keras
from keras import layers

from disentangle_tf.networks.parts import codes_input, dense_layers


def mlp_discriminator(
  latents, *, units=(1000,) * 6, kernel_initializer="glorot_uniform"
):
  """[batch, latents] -> 2 logits: dense layers of `units`, leaky ReLU of slope 0.2."""
  codes = codes_input(latents)
  features = dense_layers(
    codes, units, activation="leaky_relu", kernel_initializer=kernel_initializer
  )
  logits = layers.Dense(
    2, kernel_initializer=kernel_initializer, dtype="float32", name="logits"
  )(features)
  return keras.Model(codes, logits, name="mlp_discriminator")
