"""A grid of images as one array."""

import numpy as np


def to_rgb(images):
  """Images [..., channels] as red, green and blue.

  One channel is grey; two are red and green; of more than three the first three show.
  """
  images = np.asarray(images)
  channels = images.shape[-1]
  if channels == 1:
    return np.repeat(images, 3, axis=-1)
  missing = np.zeros_like(images[..., : max(0, 3 - channels)])
  return np.concatenate([images[..., :3], missing], axis=-1)


def image_grid(images, *, scale=1, padding=1):
  """One picture of many, separated by white lines.

  Args:
    images: [rows, columns, height, width, channels] in [0, 1].
    scale: how many pixels wide and high each pixel becomes.
    padding: width of the lines in pixels.

  Returns:
    [height', width', 3] in [0, 1].
  """
  images = to_rgb(images).repeat(scale, axis=2).repeat(scale, axis=3)
  margin = [(0, 0), (0, 0), (padding, 0), (padding, 0), (0, 0)]
  images = np.pad(images, margin, constant_values=1.0)
  rows, columns, height, width, _ = images.shape
  picture = images.swapaxes(1, 2).reshape(rows * height, columns * width, 3)
  return np.pad(picture, [(0, padding), (0, padding), (0, 0)], constant_values=1.0)
