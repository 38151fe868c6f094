"""m(w): the change of an image, as a function of one scalar of its factors."""

from __future__ import annotations

from collections.abc import Sequence

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_instance
from disentangle_tf.errors import UserError


class Manipulation(keras.Model):
  """The change tanh(picture(scalar(w))) in [-1, 1] of factors w in [-1, 1].

  All factors are compressed to one number, so the changes lie on a curve, and a table
  over that number describes the manipulation completely.

  Args:
    picture: keras.Model, [batch, 1] -> [batch, height, width, channels], such as
      `networks.conv_decoder(latents=1, ...)`, which the paper uses.
    num_factors: number of factors of the data set.
    units_before: sizes of hidden layers (ReLU) before the scalar; none in the paper. A
      hidden layer reaches a better objective by following a single factor, and does not
      entangle.
    name: of the Keras model.

  Attributes:
    gain: factor of the input of the tanh; 1 except in controls, see `write_control`.

  Raises:
    UserError: if `picture` does not take one number per image.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 4.4 and appendix B.1.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import adversary, networks
    >>> picture = networks.mlp_decoder((8, 8, 1), latents=1)
    >>> manipulation = adversary.Manipulation(picture, num_factors=2)
    >>> manipulation(np.zeros((3, 2), np.float32)).shape
    TensorShape([3, 8, 8, 1])
  """

  def __init__(
    self,
    picture: keras.Model,
    *,
    num_factors: int,
    units_before: Sequence[int] = (),
    name: str | None = None,
  ) -> None:
    super().__init__(name=name)
    example = "networks.mlp_decoder(latents=1, ...)"
    check_instance("Manipulation", keras.Model, example, picture=picture)
    check_count("Manipulation", num_factors=num_factors)
    for units in units_before:
      check_count("Manipulation", units_before=units)
    if picture.input_shape[1:] != (1,):
      raise UserError(
        "Manipulation.picture must take one number per image, not "
        f"{picture.input_shape[1:]}: set its latents to 1"
      )
    hidden = [keras.layers.Dense(units, activation="relu") for units in units_before]
    self.scalar = keras.Sequential(
      [keras.Input((num_factors,)), *hidden, keras.layers.Dense(1)], name="scalar"
    )
    self.picture = picture
    self.gain = 1.0
    self.built = True  # its networks are built

  def build(self, input_shape: object) -> None:
    pass

  def call(self, factors: tf.Tensor) -> tf.Tensor:
    """Changes [batch, height, width, channels] of factors [batch, factors]."""
    return self.draw(self.scalar(factors))

  def draw(self, scalars: tf.Tensor) -> tf.Tensor:
    """Changes [batch, height, width, channels] of scalars [batch, 1]."""
    return tf.tanh(self.gain * tf.cast(self.picture(scalars), tf.float32))


def scaled_factors(factors: tf.Tensor, sizes: Sequence[int]) -> tf.Tensor:
  """Map factors [batch, factors] to [-1, 1]; a factor with one value becomes 0.

  Args:
    factors: whole numbers.
    sizes: number of values of each factor.
  """
  steps = tf.constant([max(size - 1, 1) for size in sizes], tf.float32)
  ends = tf.constant([float(size > 1) for size in sizes])
  return 2.0 * tf.cast(factors, tf.float32) / steps - ends
