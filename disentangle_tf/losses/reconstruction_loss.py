"""Base classes of reconstruction losses, plain and wrapping another one."""

from __future__ import annotations

import abc
import copy
from collections.abc import Callable
from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import init_arguments
from disentangle_tf.errors import UserError


class ReconstructionLoss(abc.ABC):
  """Base class of losses per pixel between images and a decoder's parameters.

  Images and parameters are [batch, height, width, channels]. Models take `per_image`;
  whoever reads single pixels calls the loss. A subclass defines `distance`, and keeps
  every argument of `__init__` as an attribute of that name.

  Attributes:
    standardised: whether the loss compares standardised images; otherwise it compares
      images in [0, 1].
    of_difference: whether `distance(a, b)` depends on a - b only.
    variables: tuple of Keras variables that belong to the loss.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> class Huber(losses.ReconstructionLoss):
    ...   def __init__(self, delta):
    ...     self.delta = delta
    ...
    ...   def distance(self, targets, images):
    ...     error = tf.abs(targets - images)
    ...     linear = self.delta * (error - 0.5 * self.delta)
    ...     return tf.where(error < self.delta, 0.5 * error**2, linear)
    >>> black, white = tf.zeros((1, 2, 2, 1)), tf.ones((1, 2, 2, 1))
    >>> float(Huber(0.5).mean_distance(black, white)[0])
    0.375
  """

  standardised = True
  of_difference = False

  def __init_subclass__(cls, **arguments: Any) -> None:
    super().__init_subclass__(**arguments)
    # A subclass with another distance does not inherit properties of its parent's.
    if "distance" in vars(cls):
      for name in ("of_difference", "squared_maps", "from_squares"):
        if name not in vars(cls):
          setattr(cls, name, vars(ReconstructionLoss)[name])

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    """Keras variables that the model trains, or saves if they are not trainable."""
    return ()

  def __call__(self, targets: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
    """Loss per pixel of the decoder's `parameters` for the images `targets`."""
    return self.distance(targets, self.images(parameters))

  def per_image(self, targets: tf.Tensor, parameters: tf.Tensor) -> tf.Tensor:
    """Sum of the loss over the pixels of each image: [batch].

    A subclass may override it with the same value at a lower cost.
    """
    pixels = self(targets, parameters)
    if pixels.shape[1:] != targets.shape[1:]:
      raise UserError(
        f"{type(self).__name__} gives values of shape {pixels.shape[1:]} for images of "
        f"shape {targets.shape[1:]}: a loss must give one value per pixel"
      )
    return tf.reduce_sum(pixels, axis=tuple(range(1, len(pixels.shape))))

  def images(self, parameters: tf.Tensor) -> tf.Tensor:
    """Images that `parameters` describe, standardised if the targets are."""
    return parameters

  @abc.abstractmethod
  def distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    """Loss per pixel between two images: the perceived distance before reduction."""
    raise NotImplementedError

  def mean_distance(self, targets: tf.Tensor, images: tf.Tensor) -> tf.Tensor:
    """Mean of `distance` over each image: [batch]."""
    each = self.distance(targets, images)
    return tf.reduce_mean(each, axis=range(1, len(each.shape)))

  def from_squares(self, squares: tf.Tensor, pixels: float) -> tf.Tensor | None:
    """Sum of `distance(a, b)` over an image, if it follows from that of (a - b)**2.

    It must be linear in (squares, pixels): weighted sums of images are passed, too.

    Args:
      squares: [batch], the sum of (a - b)**2 over each image.
      pixels: number of pixels of an image, over all channels.

    Returns:
      [batch], or None for a loss that depends on more than these squares.
    """
    del squares, pixels
    return None

  def squared_maps(self) -> list[tuple[float, Callable]]:
    """Pairs (weight, map) that express the distance as squares; [] if there are none.

    The mean of `distance(a, b)` over an image is then the sum of weight * mean((map(a)
    - map(b))**2), so all distances within a set follow from products of map(images).
    """
    return []

  def as_trained(self) -> ReconstructionLoss:
    """The same loss with its learned values as arguments and no variables."""
    return self

  def get_config(self) -> dict:
    return init_arguments(self)

  @classmethod
  def from_config(cls, config: dict) -> ReconstructionLoss:
    return cls(**config)


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
