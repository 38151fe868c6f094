"""Blur kernels: square arrays with odd sides whose entries sum to 1."""

import numbers

import numpy as np

from disentangle_tf.errors import UserError


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
