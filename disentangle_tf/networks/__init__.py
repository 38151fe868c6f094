"""Encoders, decoders and a discriminator: functions that return plain Keras models.

An encoder maps images to [batch, 2 * latents]: means, then log-variances. A decoder
maps [batch, latents] to reconstruction parameters of the image's shape. A discriminator
maps [batch, latents] to two logits. Output layers stay in float32 under mixed
precision.
"""

from disentangle_tf.networks.conv import conv_decoder, conv_encoder
from disentangle_tf.networks.dcgan import dcgan_decoder, dcgan_encoder
from disentangle_tf.networks.mlp import (
  linear_decoder,
  linear_encoder,
  mlp_decoder,
  mlp_discriminator,
  mlp_encoder,
)
from disentangle_tf.networks.spatial_broadcast import spatial_broadcast_decoder

__all__ = [
  "conv_decoder",
  "conv_encoder",
  "dcgan_decoder",
  "dcgan_encoder",
  "linear_decoder",
  "linear_encoder",
  "mlp_decoder",
  "mlp_discriminator",
  "mlp_encoder",
  "spatial_broadcast_decoder",
]
