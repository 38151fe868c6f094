"""Models: the VAE family and PCL, on the base class `RepresentationModel`."""

from disentangle_tf.models.ada_gvae import AdaGVAE, AdaMLVAE
from disentangle_tf.models.ae import AE
from disentangle_tf.models.annealed_vae import AnnealedVAE
from disentangle_tf.models.beta_tcvae import BetaTCVAE
from disentangle_tf.models.beta_vae import BetaVAE
from disentangle_tf.models.control_vae import ControlVAE
from disentangle_tf.models.decomposition_vae import DecompositionVAE
from disentangle_tf.models.dip_vae import DIPVAE
from disentangle_tf.models.factor_vae import FactorVAE
from disentangle_tf.models.pcl import PCL
from disentangle_tf.models.representation_model import RepresentationModel
from disentangle_tf.models.slow_vae import SlowVAE
from disentangle_tf.models.vae import VAE

__all__ = [
  "AE",
  "DIPVAE",
  "PCL",
  "VAE",
  "AdaGVAE",
  "AdaMLVAE",
  "AnnealedVAE",
  "BetaTCVAE",
  "BetaVAE",
  "ControlVAE",
  "DecompositionVAE",
  "FactorVAE",
  "RepresentationModel",
  "SlowVAE",
]
