"""Reconstruction losses, blur kernels and the convolutions behind them."""

from disentangle_tf.losses.bernoulli import Bernoulli
from disentangle_tf.losses.blur import Blur
from disentangle_tf.losses.kernels import box_kernel, gaussian_kernel
from disentangle_tf.losses.mse import MSE
from disentangle_tf.losses.overlap import Overlap
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss

__all__ = [
  "MSE",
  "Bernoulli",
  "Blur",
  "Overlap",
  "ReconstructionLoss",
  "box_kernel",
  "gaussian_kernel",
]
