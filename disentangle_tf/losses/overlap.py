"""The overlap loss: a pixel-wise loss that also compares blurred images.

Michlo, Klein & James 2023, equation 11.
"""

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.losses.blur import Blur
from disentangle_tf.losses.wrapped_loss import WrappedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Overlap(WrappedLoss):
  """loss(x, y) + alpha * loss(blur(x), blur(y)), which sees how far things moved.

  Args:
    loss: the pixel-wise `ReconstructionLoss` to extend.
    kernel: blur kernel, e.g. `box_kernel(31)`, or any matrix with odd sides.
    alpha: weight of the blurred part; None is 1 / sum(kernel**2), which for a box is
      the number of its entries: the paper's 63 * 63 for radius 31.
    method: see `Blur`.

  Attributes:
    alpha: the weight itself, a number also where None was given.

  Example:
    Overlap(MSE(), box_kernel(31))
  """

  def __init__(self, loss, kernel, *, alpha=None, method="auto"):
    super().__init__(loss)
    if alpha is not None:
      check_weight("Overlap", alpha=alpha)
    self._blur = Blur(kernel, method=method)
    self.kernel = np.asarray(kernel)
    self.alpha = _weight_of(self.kernel) if alpha is None else alpha
    self.method = method
    self.of_difference = loss.of_difference
    self._given_alpha = alpha

  def addition(self, targets, images):
    return self.alpha * self._blurred_distance(targets, images)

  def squared_maps(self):
    maps = self.loss.squared_maps()
    if not maps:
      return []
    blurred = [
      (self.alpha * weight, lambda images, plain=plain: plain(self._blur(images)))
      for weight, plain in maps
    ]
    return [*maps, *blurred]

  def get_config(self):
    config = super().get_config()
    return {**config, "kernel": self.kernel.tolist(), "alpha": self._given_alpha}

  def _blurred_distance(self, targets, images):
    if self.of_difference:  # a blur is linear, so one is enough
      difference = self._blur(targets - images)
      return self.loss.distance(difference, tf.zeros_like(difference))
    return self.loss.distance(self._blur(targets), self._blur(images))


def _weight_of(kernel):
  """1 / sum(kernel**2), by which blurred noise weighs as much as the noise itself."""
  squares = np.sum(np.square(kernel, dtype=np.float64))
  if not squares > 0:
    raise UserError("Overlap.kernel has no entry other than 0: set alpha, or a kernel")
  return float(f"{1 / squares:.12g}")  # of a box a whole number, without rounding error
