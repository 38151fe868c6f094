import keras
import numpy as np

from disentangle_tf.networks.shared_vector import SharedVector


def test_every_example_gets_the_same_vector_which_starts_at_zero():
  layer = SharedVector(2)
  inputs = np.random.default_rng(0).normal(size=(3, 5))
  np.testing.assert_array_equal(layer(inputs), np.zeros((3, 2)))
  layer.vector.assign([1.0, -2.0])
  np.testing.assert_array_equal(layer(inputs), [[1, -2]] * 3)
  assert len(layer.trainable_variables) == 1


def test_round_trip():
  layer = SharedVector(4, name="log_variance", dtype="float32")
  config = keras.saving.serialize_keras_object(layer)
  again = keras.saving.deserialize_keras_object(config)
  assert (again.units, again.name) == (4, "log_variance")
