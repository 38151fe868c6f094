"""Base class of reconstruction losses: of images and of a decoder's output."""

import abc

import tensorflow as tf

from disentangle_tf.init_arguments import init_arguments


class ReconstructionLoss(abc.ABC):
  """A loss per pixel between images and a decoder's parameters.

  All arrays are [batch, height, width, channels]. Nothing is reduced here: the model
  takes sums or means.

  Attributes:
    standardised: whether it compares standardised images; otherwise images in [0, 1].
    of_difference: whether `distance(a, b)` depends on a - b alone.
  """

  standardised = True
  of_difference = False

  def __init_subclass__(cls, **arguments):
    super().__init_subclass__(**arguments)
    # What a parent says of its distance does not hold for another one.
    if "distance" in vars(cls):
      for name in ("of_difference", "squared_maps"):
        if name not in vars(cls):
          setattr(cls, name, vars(ReconstructionLoss)[name])

  @property
  def variables(self):
    """Keras variables that belong to the loss, for the model to train or to keep."""
    return ()

  def __call__(self, targets, parameters):
    """Loss per pixel of the decoder's `parameters` as a description of `targets`."""
    return self.distance(targets, self.images(parameters))

  def images(self, parameters):
    """The images that `parameters` describe, in the space of the targets."""
    return parameters

  @abc.abstractmethod
  def distance(self, targets, images):
    """Loss per pixel between two images: the paper's perceived distance, unreduced."""

  def mean_distance(self, targets, images):
    """The mean of `distance` over each image: [batch]."""
    each = self.distance(targets, images)
    return tf.reduce_mean(each, axis=range(1, len(each.shape)))

  def squared_maps(self):
    """[(weight, map)] whose squares are the distance; empty if there are none.

    The mean of `distance(a, b)` over an image is then the sum of weight * mean((map(a)
    - map(b))**2), and all distances within a set follow from products of map(images).
    """
    return []

  def as_trained(self):
    """The same loss with what it has learned among its arguments."""
    return self

  def get_config(self):
    return init_arguments(self)

  @classmethod
  def from_config(cls, config):
    return cls(**config)
