"""Tables of codes that the tests of measurements share."""

import functools

import numpy as np
from shared_checks import tiny_data

from disentangle_tf.data.factor_space import FactorSpace
from disentangle_tf.scoring import CodesTable


def table_of_nine():
  space = FactorSpace(("a", "b"), (3, 3))
  factors = space.to_factors(np.arange(9))
  noise = np.random.default_rng(0).normal(size=(9, 2))
  return CodesTable((factors + noise).astype(np.float32), space)


@functools.cache
def decoding_table(**options):
  """A table of a linear model with two latents, whose decoder inverts the encoder."""
  data = tiny_data()
  angles = np.random.default_rng(0).normal(size=(2, 8 * 8 * 2)).astype(np.float32)

  def encode(images):
    means = images.reshape(len(images), -1) @ angles.T
    return means, np.tile(np.float32([-3.0, -2.0]), (len(means), 1))

  def decode(codes):
    return (codes @ angles).reshape(-1, *data.observation_shape)

  asked = {"decode": decode, "reconstruct": lambda images: decode(encode(images)[0])}
  return CodesTable.of_model(encode, data, **{**asked, **options})
