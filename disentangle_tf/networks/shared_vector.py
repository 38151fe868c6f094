"""A layer that gives one learned vector, whatever its input is."""

import keras


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SharedVector(keras.layers.Layer):
  """One trainable vector, from zero, that every example of the batch gets.

  Args:
    units: the vector's length.
    options: as for any Keras layer.
  """

  def __init__(self, units, **options):
    super().__init__(**options)
    self.units = units

  def build(self, input_shape):
    self.vector = self.add_weight(
      shape=(self.units,), initializer="zeros", name="vector"
    )

  def call(self, inputs):
    batch = keras.ops.shape(inputs)[0]
    return keras.ops.broadcast_to(self.vector, (batch, self.units))

  def get_config(self):
    return {**super().get_config(), "units": self.units}
