"""A set in place of one that has to be fetched: images of the same shape."""

import numpy as np
import tensorflow as tf

from disentangle_tf.data import FactorSpace, GroundTruthData


class StandIn(GroundTruthData):
  """Evenly coloured images, made on the host, as those of files are.

  Args:
    shape: of its images.
  """

  name = "stand_in"

  def __init__(self, shape):
    self.shape = tuple(shape)
    self.observation_shape = self.shape
    self.factors = FactorSpace(("shade", "second", "third"), (5, 4, 3))

  def observe(self, factors, seed=None):
    images = tf.numpy_function(self._images, [factors], tf.float32)
    return tf.ensure_shape(images, [None, *self.shape])

  def _images(self, factors):
    shades = np.reshape(factors[:, 0] / 4, [-1, *[1] * len(self.shape)])
    return np.broadcast_to(shades, [len(shades), *self.shape]).astype(np.float32)
