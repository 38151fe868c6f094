"""Reconstruction losses, blur kernels, and divergences of codes from a prior."""

from disentangle_tf.losses.blur import Blur, box_kernel, gaussian_kernel
from disentangle_tf.losses.code_divergence import (
  MMD,
  CodeDivergence,
  ExclusiveKL,
  InclusiveKL,
)
from disentangle_tf.losses.feature_loss import FeatureLoss
from disentangle_tf.losses.likelihoods import Bernoulli, ContinuousBernoulli, Normal
from disentangle_tf.losses.overlap import Overlap
from disentangle_tf.losses.pixel_errors import MAE, MSE, SigmoidMSE
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss, WrappedLoss

__all__ = [
  "MAE",
  "MMD",
  "MSE",
  "Bernoulli",
  "Blur",
  "CodeDivergence",
  "ContinuousBernoulli",
  "ExclusiveKL",
  "FeatureLoss",
  "InclusiveKL",
  "Normal",
  "Overlap",
  "ReconstructionLoss",
  "SigmoidMSE",
  "WrappedLoss",
  "box_kernel",
  "gaussian_kernel",
]
