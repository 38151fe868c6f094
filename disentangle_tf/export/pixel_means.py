"""Means of the pixels from what a decoder gives, read off the manifest of an export."""

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.export.model_description import told_parts
from disentangle_tf.export.part_serialisation import loss_from_config


def pixel_means(manifest, image_shape):
  """A function from the decoder's parameters to means of the pixels, or None.

  The means are in the units of images in [0, 1] and are not clipped: the loss's
  activation is applied, as the sigmoid of a Bernoulli likelihood, and standardised
  pixels are scaled back. Without it the decoder's Jacobian has other units.

  Args:
    manifest: as of `read_manifest`; {} of a model that has none.
    image_shape: of the images that the model decodes to.

  Returns:
    A function of parameters [N, *image_shape] -> float32 of the same shape; None if the
    manifest does not tell the loss, or if what it tells does not fit such images.
  """
  parts = told_parts(manifest)
  try:
    loss = loss_from_config(parts.get("reconstruction"))
  except UserError:
    return None
  scaling = parts.get("standardisation") if loss.standardised else None

  def means(parameters):
    images = loss.images(tf.constant(parameters)).numpy()
    if scaling is None:
      return images
    mean, std = (np.array(values, np.float32) for values in scaling)
    return images * std + mean

  return means if _fits(means, image_shape) else None


def _fits(means, image_shape):
  """Whether it can be asked: a manifest may be a stranger's."""
  blank = np.zeros((1, *image_shape), np.float32)
  try:
    found = means(blank)
  except (TypeError, ValueError, tf.errors.OpError):
    return False
  return found.shape == blank.shape and bool(np.isfinite(found).all())
