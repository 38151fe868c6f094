"""Blur kernels, and the convolution of images with them."""

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.fft
import scipy.linalg
import tensorflow as tf

from disentangle_tf.arguments import check_choice
from disentangle_tf.errors import UserError
from disentangle_tf.tensor_types import Tensor


def box_kernel(radius: int) -> np.ndarray:
  """Box kernel, in which all entries are equal.

  Args:
    radius: from 0 up; 31 in the paper.

  Returns:
    float64 [2 * radius + 1, 2 * radius + 1]; the sum of its entries is 1.

  Raises:
    UserError: the radius is not a whole number from 0 up.

  Reference: Michlo, Klein & James, 2023, "Overlooked Implications of the Reconstruction
  Loss for VAE Disentanglement".

  Example:
    >>> from disentangle_tf import losses
    >>> losses.box_kernel(1).round(3).tolist()
    [[0.111, 0.111, 0.111], [0.111, 0.111, 0.111], [0.111, 0.111, 0.111]]
  """
  return _from_profile(np.ones_like(_offsets(radius), dtype=np.float64))


def gaussian_kernel(radius: int) -> np.ndarray:
  """Gaussian kernel of standard deviation radius / 4, cut off at the radius.

  Args:
    radius: from 0 up.

  Returns:
    float64 [2 * radius + 1, 2 * radius + 1]; the sum of its entries is 1.

  Raises:
    UserError: the radius is not a whole number from 0 up.

  Example:
    >>> from disentangle_tf import losses
    >>> losses.gaussian_kernel(4)[4].round(3).tolist()  # the central row
    [0.0, 0.002, 0.022, 0.097, 0.159, 0.097, 0.022, 0.002, 0.0]
  """
  offsets = _offsets(radius)
  return _from_profile(np.exp(-0.5 * (4 * offsets / max(radius, 1)) ** 2))


def _offsets(radius: int) -> np.ndarray:
  if not isinstance(radius, numbers.Integral) or radius < 0:
    raise UserError(f"a kernel's radius is a whole number from 0 up, not {radius!r}")
  return np.arange(-radius, radius + 1)


def _from_profile(profile: np.ndarray) -> np.ndarray:
  kernel = np.outer(profile, profile)
  return kernel / kernel.sum()


_METHODS = ("auto", "fft", "separable")


class Blur:
  """Convolution of each channel with a kernel: [N, H, W, C] -> [N, H, W, C].

  Images are zero outside their borders and keep their size. A kernel that is an outer
  product (box, Gaussian) is applied as two products with banded matrices, which on a
  CPU is much faster than a Fourier transform. Any other kernel is applied with
  `tf.signal`. The results of both agree to about 1e-6.

  Args:
    kernel: [rows, columns] array, both odd.
    method: "separable" is by matrix products, "fft" by Fourier transform; "auto" takes
      matrix products if the kernel is an outer product.

  Raises:
    UserError: the kernel is not a matrix of numbers with odd sides, or is not an outer
      product and `method` is "separable".

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import losses
    >>> point = np.zeros((1, 3, 3, 1), np.float32)
    >>> point[0, 1, 1, 0] = 9.0
    >>> blurred = losses.Blur(losses.box_kernel(1))(point)
    >>> blurred.numpy()[0, :, :, 0].round(3).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
  """

  def __init__(
    self, kernel: np.ndarray | Sequence[Sequence[float]], *, method: str = "auto"
  ) -> None:
    entries = np.asarray(kernel)
    if entries.dtype.kind not in "iuf":
      raise UserError(f"a blur kernel is a matrix of numbers, not {entries}")
    if entries.ndim != 2 or not all(size % 2 for size in entries.shape):
      raise UserError(f"a blur kernel is a matrix with odd sides, not {entries.shape}")
    check_choice("Blur", _METHODS, method=method)
    self.kernel = entries.astype(np.float64)
    self._profiles = _separate(self.kernel) if method != "fft" else None
    if method == "separable" and self._profiles is None:
      raise UserError('this kernel is not an outer product: use method="fft"')

  def __call__(self, images: Tensor) -> tf.Tensor:
    images = tf.cast(images, tf.float32)
    if self._profiles is None:
      return fourier_blur(images, tf.constant(self.kernel, tf.float32))
    down, across = self._profiles
    height, width = _sides(images)
    images = tf.einsum("hi,niwc->nhwc", _band_matrix(down, height), images)
    return tf.einsum("wj,nhjc->nhwc", _band_matrix(across, width), images)


def fourier_blur(images: tf.Tensor, kernel: Any) -> tf.Tensor:
  """Convolve images [N, H, W, C] as `Blur` does, with a gradient to the kernel too.

  Args:
    images: float32 tensor with a static height, width and number of channels.
    kernel: float32 [rows, columns], both odd.
  """
  (height, width), (rows, columns) = _sides(images), tuple(kernel.shape)
  padded = [
    scipy.fft.next_fast_len(height + rows - 1, real=True),
    scipy.fft.next_fast_len(width + columns - 1, real=True),
  ]
  spectrum = tf.signal.rfft2d(tf.transpose(images, [0, 3, 1, 2]), padded)
  blurred = tf.signal.irfft2d(spectrum * tf.signal.rfft2d(kernel, padded), padded)
  top, left = rows // 2, columns // 2
  blurred = blurred[:, :, top : top + height, left : left + width]
  return tf.transpose(blurred, [0, 2, 3, 1])


def _sides(images: Any) -> tuple[int, int]:
  """Height and width of images [N, H, W, C]; both are static."""
  return images.shape[1], images.shape[2]


def _separate(kernel: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
  """The (column, row) profiles whose outer product is `kernel`, or None."""
  left, values, right = np.linalg.svd(kernel)
  if np.any(values[1:] > 1e-7 * values[0]):
    return None
  scale = np.sqrt(values[0])
  return left[:, 0] * scale, right[0] * scale


def _band_matrix(profile: np.ndarray, size: int) -> tf.Tensor:
  """[size, size] matrix whose product with a vector convolves it with `profile`."""
  reach = np.pad(profile, size)
  centre = len(reach) // 2
  column, row = reach[centre : centre + size], reach[centre::-1][:size]
  return tf.constant(scipy.linalg.toeplitz(column, row), tf.float32)
