"""Prior distributions of the latents, on tfp distributions."""

from disentangle_tf.priors.factorised import (
  AnisotropicNormal,
  IsotropicNormal,
  StudentT,
)
from disentangle_tf.priors.mixtures import NormalMixture, SparseMixture
from disentangle_tf.priors.prior import Prior
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
