"""`WrappedLoss`, the base class of losses that add a term to another loss."""

from __future__ import annotations

import abc
import copy

import keras
import tensorflow as tf

from disentangle_tf.errors import UserError
from disentangle_tf.losses.reconstruction_loss import ReconstructionLoss


class WrappedLoss(ReconstructionLoss):
  """Base class of losses that add a term to another reconstruction loss.

  The term depends on the two images only. The loss compares the images that `loss`
  compares, and has its variables. A subclass calls `super().__init__` and defines
  `addition`.

  Args:
    loss: the `ReconstructionLoss` to extend.

  Attributes:
    parts: names of the arguments of `__init__` that Keras serialises as objects.

  Raises:
    UserError: `loss` is not a `ReconstructionLoss`.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> class Brightness(losses.WrappedLoss):
    ...   def addition(self, targets, images):
    ...     return tf.reduce_mean(targets - images, (1, 2, 3), keepdims=True) ** 2
    >>> loss = Brightness(losses.MSE())
    >>> black, white = tf.zeros((1, 2, 2, 1)), tf.ones((1, 2, 2, 1))
    >>> float(loss.mean_distance(black, white)[0])
    2.0
  """

  parts = ("loss",)

  def __init__(self, loss: ReconstructionLoss) -> None:
    if not isinstance(loss, ReconstructionLoss):
      raise UserError(
        f"{type(self).__name__}.loss is {loss!r}: it must be a loss such as MSE()"
      )
    self.loss = loss
    self.standardised = loss.standardised

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    return self.loss.variables

  @abc.abstractmethod
  def addition(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    """Term added to each pixel, of a shape that broadcasts to [N, H, W, C]."""
    raise NotImplementedError

  def __call__(self, targets: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
    addition = self.addition(targets, self.images(parameters))
    return self.loss(targets, parameters) + addition

  def images(self, parameters: tf.Tensor) -> tf.Tensor:
    return self.loss.images(parameters)

  def distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    return self.loss.distance(targets, images) + self.addition(targets, images)

  def as_trained(self) -> WrappedLoss:
    trained = copy.copy(self)
    trained.loss = self.loss.as_trained()
    return trained

  def get_config(self) -> dict:
    config = super().get_config()
    for name in self.parts:
      config[name] = keras.saving.serialize_keras_object(config[name])
    return config

  @classmethod
  def from_config(cls, config: dict) -> ReconstructionLoss:
    config = dict(config)
    for name in cls.parts:
      config[name] = keras.saving.deserialize_keras_object(config[name])
    return super().from_config(config)
