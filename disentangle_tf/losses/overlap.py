"""The overlap loss: a pixel-wise loss that also compares blurred images.

Michlo, Klein & James 2023, equation 11.
"""

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.configuration import check_weight
from disentangle_tf.losses.blur import Blur
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


@keras.saving.register_keras_serializable(package="disentangle_tf")
class Overlap(ReconstructionLoss):
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
    check_weight("Overlap", alpha=alpha)
    self.loss = loss
    self.kernel = np.asarray(kernel)
    self.alpha = alpha
    self.method = method
    self.standardised = loss.standardised
    self.of_difference = loss.of_difference
    self._blur = Blur(kernel, method=method)

  def __call__(self, targets, parameters):
    blurred = self._blurred_distance(targets, self.images(parameters))
    return self.loss(targets, parameters) + self.alpha * blurred

  def images(self, parameters):
    return self.loss.images(parameters)

  def distance(self, targets, images):
    blurred = self._blurred_distance(targets, images)
    return self.loss.distance(targets, images) + self.alpha * blurred

  def get_config(self):
    return {
      **super().get_config(),
      "loss": keras.saving.serialize_keras_object(self.loss),
      "kernel": self.kernel.tolist(),
    }

  @classmethod
  def from_config(cls, config):
    loss = keras.saving.deserialize_keras_object(config["loss"])
    return super().from_config({**config, "loss": loss})

  def _blurred_distance(self, targets, images):
    if self.of_difference:  # a blur is linear, so one is enough
      difference = self._blur(targets - images)
      return self.loss.distance(difference, tf.zeros_like(difference))
    return self.loss.distance(self._blur(targets), self._blur(images))
