"""The overlap loss: a pixel-wise loss that also compares blurred images.

Michlo, Klein & James 2023, equation 11.
"""

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.argument_checks import check_weight
from disentangle_tf.losses.blur import Blur
from disentangle_tf.losses.wrapped_loss import WrappedLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Overlap(WrappedLoss):
  """loss(x, y) + alpha * loss(blur(x), blur(y)), which sees how far things moved.

  Args:
    loss: the pixel-wise `ReconstructionLoss` to extend.
    kernel: blur kernel, e.g. `box_kernel(31)`, or any matrix with odd sides.
    alpha: weight of the blurred part; the paper's is the number of kernel entries,
      63 * 63 for radius 31.
    method: see `Blur`.

  Example:
    Overlap(MSE(), box_kernel(31), alpha=63**2)
  """

  def __init__(self, loss, kernel, *, alpha, method="auto"):
    super().__init__(loss)
    check_weight("Overlap", alpha=alpha)
    self.kernel = np.asarray(kernel)
    self.alpha = alpha
    self.method = method
    self.of_difference = loss.of_difference
    self._blur = Blur(kernel, method=method)

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
    return {**super().get_config(), "kernel": self.kernel.tolist()}

  def _blurred_distance(self, targets, images):
    if self.of_difference:  # a blur is linear, so one is enough
      difference = self._blur(targets - images)
      return self.loss.distance(difference, tf.zeros_like(difference))
    return self.loss.distance(self._blur(targets), self._blur(images))
