"""Encoders and decoders: plain Keras models.

An encoder maps images to [batch, 2 * latents], means then log-variances; a decoder maps
[batch, latents] to reconstruction parameters of the image's shape. The last layers stay
in float32 under mixed precision.
"""

from disentangle_tf.networks.conv import conv_decoder, conv_encoder
from disentangle_tf.networks.mlp import mlp_decoder, mlp_encoder

__all__ = ["conv_decoder", "conv_encoder", "mlp_decoder", "mlp_encoder"]
