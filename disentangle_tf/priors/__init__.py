"""Prior distributions of the latents, on tfp distributions."""

from disentangle_tf.priors.anisotropic_normal import AnisotropicNormal
from disentangle_tf.priors.isotropic_normal import IsotropicNormal
from disentangle_tf.priors.normal_mixture import NormalMixture
from disentangle_tf.priors.prior import Prior
from disentangle_tf.priors.sparse_mixture import SparseMixture
from disentangle_tf.priors.student_t import StudentT
from disentangle_tf.priors.tfp_prior import TfpPrior

__all__ = [
  "AnisotropicNormal",
  "IsotropicNormal",
  "NormalMixture",
  "Prior",
  "SparseMixture",
  "StudentT",
  "TfpPrior",
]
