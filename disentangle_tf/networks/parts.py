"""What networks share: inputs, heads, shared layers."""

import numbers
from collections.abc import Callable, Sequence
from typing import Any

import keras
from keras import layers

from disentangle_tf.arguments import check_count
from disentangle_tf.errors import UserError

# A name, a configuration or a `keras.initializers.Initializer`; Keras declares no type.
Initializer = Any

_STRIDE = 16  # of four halvings


def images_input(image_shape: Sequence[int]) -> keras.KerasTensor:
  """The input of every network that takes images: [batch, *image_shape]."""
  check_sizes("image_shape", image_shape)
  return keras.Input(image_shape, name="images")  # pyright: ignore[reportReturnType]


def codes_input(latents: int) -> keras.KerasTensor:
  """The input of every network that takes codes: [batch, latents]."""
  check_count("network", latents=latents)
  return keras.Input((latents,), name="codes")  # pyright: ignore[reportReturnType]


def dense_layers(
  features: keras.KerasTensor,
  units: Sequence[int],
  *,
  activation: str | Callable | None,
  kernel_initializer: Initializer,
) -> keras.KerasTensor:
  """Apply one dense layer for each of `units` to `features`."""
  check_sizes("units", units)
  for width in units:
    features = layers.Dense(
      width, activation=activation, kernel_initializer=kernel_initializer
    )(features)
  return features


def coarse_grid(image_shape: Sequence[int]) -> tuple[int, int]:
  """(height, width) of an image after four halvings."""
  check_image(image_shape)
  height, width, _ = image_shape
  if height % _STRIDE or width % _STRIDE:
    raise UserError(
      f"the convolutional networks halve the image four times, so {height}x{width} "
      f"does not fit: use sides that {_STRIDE} divides, or networks.mlp_encoder"
    )
  return height // _STRIDE, width // _STRIDE


def check_image(image_shape: Sequence[int]) -> None:
  """Raise a `UserError` unless the shape is (height, width, channels)."""
  if len(image_shape) != 3:
    raise UserError(
      f"convolutions take images of shape (height, width, channels), not "
      f"{tuple(image_shape)}: use networks.mlp_encoder and networks.mlp_decoder"
    )


def check_sizes(name: str, sizes: Sequence[int], *, count: int | None = None) -> None:
  """Raise a `UserError` unless `sizes` lists whole numbers, `count` of them."""
  listed = isinstance(sizes, tuple | list) and all(
    isinstance(size, numbers.Integral) and int(size) > 0 for size in sizes
  )
  if not listed or count not in (None, len(sizes)):
    more = "such as (64, 32)" if count is None else f"{count} of them"
    raise UserError(
      f"{name} is {sizes!r}: it must list whole numbers from 1 up, {more}"
    )


ops: Any = keras.ops  # whose declared types are wrong


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SharedVector(keras.layers.Layer):
  """One trainable vector, initially zero, repeated for every example of the batch.

  Args:
    units: the vector's length.
    options: as for any Keras layer.
  """

  def __init__(self, units: int, **options: Any) -> None:
    super().__init__(**options)
    self.units = units

  def build(self, input_shape: tuple[int | None, ...]) -> None:
    self.vector = self.add_weight(
      shape=(self.units,), initializer="zeros", name="vector"
    )

  def call(self, inputs: keras.KerasTensor) -> keras.KerasTensor:
    batch = ops.shape(inputs)[0]
    return ops.broadcast_to(self.vector, (batch, self.units))

  def get_config(self) -> dict:
    return {**super().get_config(), "units": self.units}


def gaussian_head(
  features: keras.KerasTensor,
  *,
  latents: int,
  kernel_initializer: Initializer,
  constant_variance: bool = False,
) -> keras.KerasTensor:
  """Means, then log-variances, one dense layer each: [batch, 2 * latents].

  With `constant_variance` the log-variances are free parameters, one per latent, that
  do not depend on the image.
  """
  check_count("encoder", latents=latents)

  def dense(name: str) -> layers.Dense:
    return layers.Dense(
      latents, kernel_initializer=kernel_initializer, dtype="float32", name=name
    )

  mean = dense("mean")
  log_variance = (
    SharedVector(latents, dtype="float32", name="log_variance")
    if constant_variance
    else dense("log_variance")
  )
  both = [mean(features), log_variance(features)]
  return layers.Concatenate(dtype="float32", name="gaussian")(both)
