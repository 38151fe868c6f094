"""Base class of losses that add to another reconstruction loss."""

import abc
import copy

import keras

from disentangle_tf.errors import UserError
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


class WrappedLoss(ReconstructionLoss):
  """`loss` and an addition to it that depends on the two images alone.

  It compares the images that `loss` compares, and has its variables. A subclass calls
  `super().__init__` and defines `addition`.

  Args:
    loss: the `ReconstructionLoss` to extend.

  Attributes:
    parts: names of the init arguments that are objects with a configuration of their
      own.
  """

  parts = ("loss",)

  def __init__(self, loss):
    if not isinstance(loss, ReconstructionLoss):
      raise UserError(
        f"{type(self).__name__}.loss is {loss!r}: it must be a loss such as MSE()"
      )
    self.loss = loss
    self.standardised = loss.standardised

  @property
  def variables(self):
    return self.loss.variables

  @abc.abstractmethod
  def addition(self, targets, images):
    """What is added to each pixel, of a shape that fits [N, H, W, C]."""

  def __call__(self, targets, parameters):
    addition = self.addition(targets, self.images(parameters))
    return self.loss(targets, parameters) + addition

  def images(self, parameters):
    return self.loss.images(parameters)

  def distance(self, targets, images):
    return self.loss.distance(targets, images) + self.addition(targets, images)

  def as_trained(self):
    trained = copy.copy(self)
    trained.loss = self.loss.as_trained()
    return trained

  def get_config(self):
    config = super().get_config()
    for name in self.parts:
      config[name] = keras.saving.serialize_keras_object(config[name])
    return config

  @classmethod
  def from_config(cls, config):
    config = dict(config)
    for name in cls.parts:
      config[name] = keras.saving.deserialize_keras_object(config[name])
    return super().from_config(config)
