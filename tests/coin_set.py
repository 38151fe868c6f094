"""A set that never shows the same image twice, and a model of it; all is known."""

import numpy as np
import tensorflow as tf

from disentangle_tf.data import FactorSpace, GroundTruthData
from disentangle_tf.random_streams import random_uniform


def flatten(images):
  """A model that encodes every pixel, and is as sure as the first is bright."""
  flat = images.reshape(len(images), -1)
  return flat, np.repeat(flat[:, :1], flat.shape[1], axis=1)


class Coin(GroundTruthData):
  """A factor, beside noise that is new in every image and says nothing about it."""

  name = "coin"
  one_image_per_point = False
  observation_shape = (1, 2, 1)

  def __init__(self):
    self.factors = FactorSpace(("side", "idle"), (2, 3))

  def observe(self, factors, seed=None):
    noise = random_uniform([tf.shape(factors)[0]], seed)
    side = tf.cast(factors[:, 0], tf.float32)
    return tf.stack([side, noise], axis=1)[:, None, :, None]
