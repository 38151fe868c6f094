"""beta-VAE (Higgins et al. 2017): the KL is weighted by beta."""

import keras

from disentangle_tf.argument_checks import check_coefficient
from disentangle_tf.models.vae import VAE


@keras.saving.register_keras_serializable(package="disentangle_tf")
class BetaVAE(VAE):
  """A VAE whose divergence is weighted by `beta`.

  Args:
    beta: weight of the divergence; 1 is the plain VAE.
    The others: see `VAE`.

  Reference: Higgins et al., 2017, "beta-VAE: Learning Basic Visual Concepts with a
  Constrained Variational Framework".
  """

  def __init__(self, *args, beta, **shared):
    super().__init__(*args, **shared)
    check_coefficient("BetaVAE", beta=beta)
    self.beta = beta

  def regularisation(self, posterior, codes, seed):
    divergence = super().regularisation(posterior, codes, seed)["kl"]
    return {"kl": self.now(self.beta) * divergence}
