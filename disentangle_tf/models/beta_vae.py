"""beta-VAE."""

import keras

from disentangle_tf.configuration import check_weight
from disentangle_tf.models.vae import VAE


@keras.saving.register_keras_serializable(package="disentangle_tf")
class BetaVAE(VAE):
  """A VAE whose divergence is weighted by `beta`.

  Args:
    encoder, decoder, reconstruction, standardisation, reduction: see `VAE`.
    beta: weight of the divergence; 1 is the plain VAE.

  Reference: Higgins et al., 2017, "beta-VAE: Learning Basic Visual Concepts with a
  Constrained Variational Framework".
  """

  def __init__(
    self,
    encoder,
    decoder,
    reconstruction,
    *,
    beta,
    standardisation=None,
    reduction="mean",
    name=None,
  ):
    super().__init__(
      encoder,
      decoder,
      reconstruction,
      standardisation=standardisation,
      reduction=reduction,
      name=name,
    )
    check_weight("BetaVAE", beta=beta)
    self.beta = beta

  def regularisation(self, posterior, codes):
    terms = super().regularisation(posterior, codes)
    return {**terms, "kl": self.beta * terms["kl"]}
