"""m(w): the change of an image, as a function of one scalar of its factors."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_count, check_instance
from disentangle_tf.errors import UserError


class Manipulation(keras.Model):
  """tanh(picture(scalar(w))), pixels in [-1, 1]; w are the factors, each in [-1, 1].

  All factors are compressed to one number, so the pictures lie on a curve, and a table
  over that number is the whole manipulation.

  Args:
    picture: keras.Model, [batch, 1] -> [batch, height, width, channels], such as
      `networks.conv_decoder(latents=1, ...)`, the paper's.
    num_factors: how many factors there are.
    units_before: sizes of hidden layers (ReLU) before the scalar. None in the paper's
      words; a hidden layer reaches a better objective by following a single factor, and
      does not entangle.

  Attributes:
    gain: of what goes into the tanh; 1 but for controls, see `write_control`.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", section 4.4 and appendix B.1.
  """

  def __init__(self, picture, *, num_factors, units_before=(), name=None):
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
    self.built = True  # networks come built; there is nothing else to make

  def build(self, input_shape):
    pass

  def call(self, factors):
    """Pictures [batch, height, width, channels] of factors [batch, factors]."""
    return self.draw(self.scalar(factors))

  def draw(self, scalars):
    """Pictures of scalars [batch, 1]."""
    return tf.tanh(self.gain * tf.cast(self.picture(scalars), tf.float32))


def scaled_factors(factors, sizes):
  """Factors [batch, factors], each number mapped to [-1, 1]; to 0 if it has one value.

  Args:
    factors: whole numbers.
    sizes: how many values each has.
  """
  steps = tf.constant([max(size - 1, 1) for size in sizes], tf.float32)
  ends = tf.constant([float(size > 1) for size in sizes])
  return 2.0 * tf.cast(factors, tf.float32) / steps - ends
