"""Blur kernels: arrays of odd size whose entries sum to 1."""

import numbers

import numpy as np

from disentangle_tf.errors import UserError


def box_kernel(radius):
  """Every entry 1 / (2 radius + 1)^2; the paper's radius is 31."""
  return _from_profile(np.ones_like(_offsets(radius), dtype=np.float64))


def gaussian_kernel(radius):
  """A Gaussian of standard deviation radius / 4, cut off at the radius."""
  offsets = _offsets(radius)
  return _from_profile(np.exp(-0.5 * (4 * offsets / max(radius, 1)) ** 2))


def _offsets(radius):
  if not isinstance(radius, numbers.Integral) or radius < 0:
    raise UserError(f"a kernel's radius is a whole number from 0 up, not {radius!r}")
  return np.arange(-radius, radius + 1)


def _from_profile(profile):
  kernel = np.outer(profile, profile)
  return kernel / kernel.sum()
