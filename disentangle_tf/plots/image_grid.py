"""A grid of images as one array."""

import numpy as np
from numpy import typing as npt


def to_rgb(images: npt.ArrayLike) -> np.ndarray:
  """Convert images of any number of channels to red, green and blue.

  One channel becomes grey; two become red and green; of more than three the first three
  are kept.

  Args:
    images: [..., channels].

  Returns:
    [..., 3].

  Example:
    >>> from disentangle_tf import plots
    >>> plots.to_rgb([0.5]), plots.to_rgb([0.5, 0.25])
    (array([0.5, 0.5, 0.5]), array([0.5 , 0.25, 0.  ]))
  """
  images = np.asarray(images)
  channels = images.shape[-1]
  if channels == 1:
    return np.repeat(images, 3, axis=-1)
  missing = np.zeros_like(images[..., : max(0, 3 - channels)])
  return np.concatenate([images[..., :3], missing], axis=-1)


def image_grid(
  images: npt.ArrayLike, *, scale: int = 1, padding: int = 1
) -> np.ndarray:
  """One picture of rows and columns of images, separated by white lines.

  Args:
    images: [rows, columns, height, width, channels] in [0, 1].
    scale: how many pixels wide and high each pixel becomes.
    padding: width of the lines in pixels.

  Returns:
    [height', width', 3] in [0, 1].

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> plots.image_grid(np.zeros([2, 3, 8, 8, 1]), scale=2).shape
    (35, 52, 3)
  """
  images = to_rgb(images).repeat(scale, axis=2).repeat(scale, axis=3)
  margin = [(0, 0), (0, 0), (padding, 0), (padding, 0), (0, 0)]
  images = np.pad(images, margin, constant_values=1.0)
  rows, columns, height, width, _ = images.shape
  picture = images.swapaxes(1, 2).reshape(rows * height, columns * width, 3)
  return np.pad(picture, [(0, padding), (0, padding), (0, 0)], constant_values=1.0)
