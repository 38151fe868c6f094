"""Changes of images: learned by a network, or made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import keras
import numpy as np
import tensorflow as tf

from disentangle_tf.arguments import (
  check_count,
  check_instance,
  check_positive,
  check_seed,
)
from disentangle_tf.errors import UserError
from disentangle_tf.networks import conv_decoder, mlp_decoder
from disentangle_tf.tensor_types import Tensor


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


def scaled_factors(factors: Tensor, sizes: Sequence[int]) -> tf.Tensor:
  """Map factors [batch, factors] to [-1, 1]; a factor with one value becomes 0.

  Args:
    factors: whole numbers.
    sizes: number of values of each factor.
  """
  steps = tf.constant([max(size - 1, 1) for size in sizes], tf.float32)
  ends = tf.constant([float(size > 1) for size in sizes])
  return 2.0 * tf.cast(factors, tf.float32) / steps - ends


def conv_manipulation(
  image_shape: tuple[int, int, int],
  num_factors: int,
  *,
  units_before: Sequence[int] = (),
) -> Manipulation:
  """Make the `Manipulation` that draws with disentanglement_lib's decoder.

  Args:
    image_shape: (height, width, channels).
    num_factors: number of factors of the data set.
    units_before: as for `Manipulation`.

  Reference: Zietlow et al. 2021, "Demystifying Inductive Biases for (Beta-)VAE Based
  Architectures", appendix B.1.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import adversary
    >>> manipulation = adversary.conv_manipulation((64, 64, 1), num_factors=3)
    >>> manipulation(np.zeros((2, 3), np.float32)).shape
    TensorShape([2, 64, 64, 1])
  """
  picture = conv_decoder(image_shape, latents=1)
  return Manipulation(picture, num_factors=num_factors, units_before=units_before)


def mlp_manipulation(
  image_shape: tuple[int, int, int],
  num_factors: int,
  *,
  units: Sequence[int] = (128, 128),
  units_before: Sequence[int] = (),
) -> Manipulation:
  """Make the `Manipulation` that draws with dense layers (ReLU).

  Args:
    image_shape: (height, width, channels).
    num_factors: number of factors of the data set.
    units: sizes of the layers between the scalar and the change.
    units_before: as for `Manipulation`.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import adversary
    >>> manipulation = adversary.mlp_manipulation((8, 8, 1), num_factors=3, units=(16,))
    >>> manipulation(np.zeros((2, 3), np.float32)).shape
    TensorShape([2, 8, 8, 1])
  """
  picture = mlp_decoder(image_shape, latents=1, units=units)
  return Manipulation(picture, num_factors=num_factors, units_before=units_before)


class HandMadeManipulation:
  """The change (Q1 cos ks + Q2 sin ks) / sqrt(2), with s the mean of all factors.

  Each factor is in [-1, 1], and Q1 and Q2 are images of random signs. The change
  depends only on the position along the diagonal of the factors' grid. If it is large
  enough, a VAE aligns a latent with this diagonal.

  Args:
    image_shape: (height, width, channels).
    num_factors: number of factors of the data set.
    frequency: k.
    seed: of the signs.

  Attributes:
    seed: as given.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import adversary
    >>> manipulation = adversary.HandMadeManipulation((8, 8, 1), num_factors=2)
    >>> scalars = manipulation.scalar(np.float32([[-1, 1], [1, 1]]))
    >>> scalars.numpy().ravel().tolist()
    [0.0, 1.0]
    >>> manipulation.draw(scalars).shape
    TensorShape([2, 8, 8, 1])
  """

  def __init__(
    self,
    image_shape: tuple[int, int, int],
    num_factors: int,
    *,
    frequency: float = 4.0,
    seed: int = 0,
  ) -> None:
    check_count("HandMadeManipulation", num_factors=num_factors)
    check_positive("HandMadeManipulation", frequency=frequency)
    check_seed("HandMadeManipulation", seed=seed)
    self.seed = seed
    self._frequency = frequency
    rng = np.random.default_rng(seed)
    self._signs = rng.choice(np.array([-1, 1], np.float32), (2, *image_shape))

  def scalar(self, factors: tf.Tensor) -> tf.Tensor:
    """s [batch, 1] of factors [batch, factors], each in [-1, 1]."""
    return tf.reduce_mean(factors, axis=1, keepdims=True)

  def draw(self, scalars: tf.Tensor) -> tf.Tensor:
    """Changes [batch, height, width, channels] of scalars [batch, 1]."""
    angles = self._frequency * tf.reshape(scalars, [-1, 1, 1, 1])
    cosine, sine = self._signs / np.sqrt(np.float32(2))
    return cosine * tf.cos(angles) + sine * tf.sin(angles)
