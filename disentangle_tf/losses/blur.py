"""Blur kernels, and the convolution of images with them."""

import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any, cast

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
_MOST_PRODUCTS = 32  # each adds its matrices to the graph
_Matrices = Sequence[tuple[np.ndarray, np.ndarray]]


class Blur:
  """Convolution of each channel with a kernel: [N, H, W, C] -> [N, H, W, C].

  Images are zero outside their borders and keep their size. `tf.signal` convolves with
  any kernel. A kernel is also a sum of outer products, one for a box or a Gaussian, and
  each can be applied as two products with banded matrices, which for few of them is
  much faster on a CPU. The results of both agree to about 1e-6.

  Args:
    kernel: [rows, columns] array, both odd.
    method: "separable" is by matrix products, "fft" by Fourier transform; "auto" takes
      the faster one for the kernel and the images.

  Raises:
    UserError: the kernel is not a matrix of numbers with odd sides, or `method` is
      "separable" and the kernel is a sum of more than 32 outer products.

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
    self._method = method
    self._parts = _outer_products(self.kernel)
    if method == "separable" and len(self._parts) > _MOST_PRODUCTS:
      raise UserError(
        f"this kernel is a sum of {len(self._parts)} outer products, more than "
        f'{_MOST_PRODUCTS}: use method="fft"'
      )

  def __call__(self, images: Tensor) -> tf.Tensor:
    images = tf.cast(images, tf.float32)
    if self._uses_products(images):
      return _sum_of_products(images, self._band_matrices(images))
    return self._fourier_blur(images)

  def squares(self, images: Tensor, weight: float) -> tf.Tensor:
    """Sum over each image x of x**2 + weight * blur(x)**2: [N].

    If B is the blur and B' its transpose, this is <x, y> with y = x + weight B'B x, and
    its gradient is 2 y: one computation gives both.
    """
    images = tf.cast(images, tf.float32)

    @tf.custom_gradient
    def squares(images: tf.Tensor) -> tuple[tf.Tensor, Callable]:
      mapped = images + weight * self._twice(images)

      def gradient(upstream: tf.Tensor) -> tf.Tensor:
        return 2.0 * upstream[:, None, None, None] * mapped

      return tf.reduce_sum(images * mapped, axis=(1, 2, 3)), gradient

    return cast(tf.Tensor, squares(images))

  def _twice(self, images: tf.Tensor) -> tf.Tensor:
    """B'B x: the blur, then its transpose, which is the blur by the turned kernel."""
    if not self._uses_products(images):
      return fourier_blur(fourier_blur(images, self.kernel), self.kernel[::-1, ::-1])
    matrices = self._band_matrices(images)
    if len(matrices) == 1:  # D'D x A'A, as cheap as one blur
      ((down, across),) = matrices
      return _sum_of_products(images, [(down.T @ down, across.T @ across)])
    turned = [(down.T, across.T) for down, across in matrices]
    return _sum_of_products(_sum_of_products(images, matrices), turned)

  def _fourier_blur(self, images: tf.Tensor) -> tf.Tensor:
    """The blur with a gradient of its own: TensorFlow's of `rfft2d` costs more."""

    @tf.custom_gradient
    def blur(images: tf.Tensor) -> tuple[tf.Tensor, Callable]:
      turned = self.kernel[::-1, ::-1]
      return fourier_blur(images, self.kernel), lambda up: fourier_blur(up, turned)

    return cast(tf.Tensor, blur(images))

  def _uses_products(self, images: Any) -> bool:
    """Whether matrix products are asked for, or cost less: measured on CPUs."""
    if self._method != "auto":
      return self._method == "separable"
    height, width, channels = images.shape[1:]
    _, padded = _padding((height, width), self.kernel.shape)
    area = math.prod(padded)
    products = len(self._parts) * height * width * (height + width * channels + 100)
    return products < 100 * area * math.log2(area)

  def _band_matrices(self, images: tf.Tensor) -> _Matrices:
    """The [(down, across)] of the outer products, for images of this size."""
    height, width = _sides(images)
    return [
      (_band_matrix(down, height), _band_matrix(across, width))
      for down, across in self._parts
    ]


def _sum_of_products(images: Any, matrices: _Matrices) -> tf.Tensor:
  """Sum over (down [H, H], across [W, W]) of: columns by `down`, rows by `across`.

  Rows and channels are folded into one axis. This takes more multiplications than a
  product of each channel, but transposes nothing, and costs half as much on a CPU.
  """
  height, width, channels = images.shape[1:]
  rows = tf.reshape(images, [-1, width * channels])
  total = []
  for down, across in matrices:
    folded = tf.constant(np.kron(across.T, np.eye(channels)), tf.float32)
    columns = tf.reshape(rows @ folded, [-1, height, width * channels])
    total.append(tf.constant(down, tf.float32) @ columns)
  return tf.reshape(tf.add_n(total), [-1, height, width, channels])


def fourier_blur(images: tf.Tensor, kernel: Any) -> tf.Tensor:
  """Convolve images [N, H, W, C] as `Blur` does, with a gradient to the kernel too.

  Args:
    images: float32 tensor with a static height, width and number of channels.
    kernel: [rows, columns], both odd; a float32 tensor, or an array, whose spectrum is
      computed once per trace.
  """
  height, width = _sides(images)
  (top, left), padded = _padding((height, width), kernel.shape)
  above, before = kernel.shape[0] // 2 - top, kernel.shape[1] // 2 - left
  kernel = kernel[above : kernel.shape[0] - above, before : kernel.shape[1] - before]
  if isinstance(kernel, np.ndarray):
    transform = tf.constant(np.asarray(scipy.fft.rfft2(kernel, padded)), tf.complex64)
  else:
    transform = tf.signal.rfft2d(kernel, padded)
  spectrum = tf.signal.rfft2d(tf.transpose(images, [0, 3, 1, 2]), padded)
  blurred = tf.signal.irfft2d(spectrum * transform, padded)
  blurred = blurred[:, :, top : top + height, left : left + width]
  return tf.transpose(blurred, [0, 2, 3, 1])


def _padding(
  sides: tuple[int, int], kernel: Sequence[int]
) -> tuple[tuple[int, int], list[int]]:
  """(reach of the kernel within an image, sides of the Fourier transform).

  What wraps around may only fall outside the image: a side plus the reach suffices.
  """
  reach = [min(k // 2, side - 1) for k, side in zip(kernel, sides, strict=True)]
  wanted = [side + far for side, far in zip(sides, reach, strict=True)]
  return (reach[0], reach[1]), [
    int(scipy.fft.next_fast_len(size, real=True) or size) for size in wanted
  ]


def _sides(images: Any) -> tuple[int, int]:
  """Height and width of images [N, H, W, C]; both are static."""
  return images.shape[1], images.shape[2]


def _outer_products(kernel: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
  """The fewest (column, row) profiles whose outer products add up to `kernel`."""
  left, values, right = np.linalg.svd(kernel)
  rank = max(1, int(np.sum(values > 1e-7 * values[0])))
  scales = np.sqrt(values[:rank])
  return list(
    zip((left[:, :rank] * scales).T, right[:rank] * scales[:, None], strict=True)
  )


def _band_matrix(profile: np.ndarray, size: int) -> np.ndarray:
  """[size, size] matrix whose product with a vector convolves it with `profile`."""
  reach = np.pad(profile, size)
  centre = len(reach) // 2
  column, row = reach[centre : centre + size], reach[centre::-1][:size]
  return scipy.linalg.toeplitz(column, row)
