"""Convolution of images with a kernel, by Fourier transform or by matrix products."""

import numpy as np
import scipy.fft
import scipy.linalg
import tensorflow as tf

from disentangle_tf.argument_checks import check_choice
from disentangle_tf.errors import UserError

_METHODS = ("auto", "fft", "separable")


class Blur:
  """Convolves each channel with `kernel`, zero outside the image, size kept.

  A kernel that is an outer product (box, Gaussian) is applied as two products with
  banded matrices, which costs a small part of the Fourier transform on a CPU; any other
  kernel goes through `tf.signal`. Both give the same values to about 1e-6.

  Args:
    kernel: [rows, columns] array, both odd.
    method: "auto" takes the products where the kernel allows; "fft" or "separable"
      forces one.

  Example:
    Blur(box_kernel(31))(images)  # [N, H, W, C] -> [N, H, W, C]
  """

  def __init__(self, kernel, *, method="auto"):
    kernel = np.asarray(kernel)
    if kernel.dtype.kind not in "iuf":
      raise UserError(f"a blur kernel is a matrix of numbers, not {kernel}")
    kernel = kernel.astype(np.float64)
    if kernel.ndim != 2 or not all(size % 2 for size in kernel.shape):
      raise UserError(f"a blur kernel is a matrix with odd sides, not {kernel.shape}")
    check_choice("Blur", _METHODS, method=method)
    self.kernel = kernel
    self._profiles = _separate(kernel) if method != "fft" else None
    if method == "separable" and self._profiles is None:
      raise UserError('this kernel is not an outer product: use method="fft"')

  def __call__(self, images):
    images = tf.cast(images, tf.float32)
    if self._profiles is None:
      return fourier_blur(images, tf.constant(self.kernel, tf.float32))
    return self._by_matrix_products(images)

  def _by_matrix_products(self, images):
    height, width = images.shape[1:3]
    down, across = self._profiles
    images = tf.einsum("hi,niwc->nhwc", _band_matrix(down, height), images)
    return tf.einsum("wj,nhjc->nhwc", _band_matrix(across, width), images)


def fourier_blur(images, kernel):
  """Images [N, H, W, C] convolved as by `Blur`, with a gradient to the kernel too.

  Args:
    images: float32 tensor with a static height, width and number of channels.
    kernel: float32 [rows, columns] tensor or array, both odd.
  """
  sizes, kernel_sizes = images.shape[1:3], kernel.shape
  padded = [
    scipy.fft.next_fast_len(size + kernel_size - 1, real=True)
    for size, kernel_size in zip(sizes, kernel_sizes, strict=True)
  ]
  spectrum = tf.signal.rfft2d(tf.transpose(images, [0, 3, 1, 2]), padded)
  blurred = tf.signal.irfft2d(spectrum * tf.signal.rfft2d(kernel, padded), padded)
  top, left = (size // 2 for size in kernel_sizes)
  blurred = blurred[:, :, top : top + sizes[0], left : left + sizes[1]]
  return tf.transpose(blurred, [0, 2, 3, 1])


def _separate(kernel):
  """The (column, row) profiles whose outer product is `kernel`, or None."""
  left, values, right = np.linalg.svd(kernel)
  if np.any(values[1:] > 1e-7 * values[0]):
    return None
  scale = np.sqrt(values[0])
  return left[:, 0] * scale, right[0] * scale


def _band_matrix(profile, size):
  """[size, size] matrix whose product with a vector convolves it with `profile`."""
  reach = np.pad(profile, size)
  centre = len(reach) // 2
  column, row = reach[centre : centre + size], reach[centre::-1][:size]
  return tf.constant(scipy.linalg.toeplitz(column, row), tf.float32)
