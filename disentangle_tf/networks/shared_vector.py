"""A layer whose output is one learned vector, independent of the input."""

from typing import Any

import keras

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
