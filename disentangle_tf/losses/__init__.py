"""Reconstruction losses, blur kernels, and divergences of codes from a prior."""

from disentangle_tf.losses.bernoulli import Bernoulli
from disentangle_tf.losses.blur import Blur
from disentangle_tf.losses.code_divergence import CodeDivergence
from disentangle_tf.losses.continuous_bernoulli import ContinuousBernoulli
from disentangle_tf.losses.feature_loss import FeatureLoss
from disentangle_tf.losses.inclusive_kl import InclusiveKL
from disentangle_tf.losses.kernels import box_kernel, gaussian_kernel
from disentangle_tf.losses.mae import MAE
from disentangle_tf.losses.mmd import MMD
from disentangle_tf.losses.mse import MSE
from disentangle_tf.losses.normal import Normal
from disentangle_tf.losses.overlap import Overlap
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss
from disentangle_tf.losses.sigmoid_mse import SigmoidMSE
from disentangle_tf.losses.wrapped_loss import WrappedLoss

__all__ = [
  "MAE",
  "MMD",
  "MSE",
  "Bernoulli",
  "Blur",
  "CodeDivergence",
  "ContinuousBernoulli",
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
