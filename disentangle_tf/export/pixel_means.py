"""Means of the pixels from a decoder's output, by the loss in a manifest."""

from collections.abc import Callable, Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.export.model_description import told_parts
from disentangle_tf.export.part_serialisation import loss_from_config


def pixel_means(
  manifest: dict, image_shape: Sequence[int]
) -> Callable[[np.ndarray], np.ndarray] | None:
  """Function that converts the decoder's parameters to means of the pixels, or None.

  The means are in the units of images in [0, 1] and are not clipped. The loss's
  activation is applied, such as the sigmoid of a Bernoulli likelihood, and the
  standardisation is undone. The decoder's Jacobian needs these units.

  Args:
    manifest: see `read_manifest`; {} for a model without a manifest.
    image_shape: of the images that the model decodes to.

  Returns:
    A function of parameters [N, *image_shape] -> float32 of the same shape; None if the
    manifest does not record the loss, or if the recorded loss does not fit such images.
  """
  parts = told_parts(manifest)
  try:
    loss = loss_from_config(parts.get("reconstruction"))
  except UserError:
    return None
  scaling = parts.get("standardisation") if loss.standardised else None

  def means(parameters: np.ndarray) -> np.ndarray:
    images = loss.images(tf.constant(parameters)).numpy()
    if scaling is None:
      return images
    mean, std = (np.array(values, np.float32) for values in scaling)
    return images * std + mean

  return means if _fits(means, image_shape) else None


def _fits(
  means: Callable[[np.ndarray], np.ndarray], image_shape: Sequence[int]
) -> bool:
  """Whether the function works: the manifest of a foreign model may be wrong."""
  blank = np.zeros((1, *image_shape), np.float32)
  try:
    found = means(blank)
  except (TypeError, ValueError, tf.errors.OpError):
    return False
  return found.shape == blank.shape and bool(np.isfinite(found).all())
