"""The VAE family: one file a member, on the base class `VAE`."""

from disentangle_tf.models.beta_vae import BetaVAE
from disentangle_tf.models.vae import VAE

__all__ = ["VAE", "BetaVAE"]
