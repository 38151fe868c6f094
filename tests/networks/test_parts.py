import keras
import numpy as np
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.networks import parts
from disentangle_tf.networks.parts import SharedVector, gaussian_head


def test_inputs_are_named_after_what_they_take():
  images, codes = parts.images_input((8, 6, 2)), parts.codes_input(3)
  assert (images.name, images.shape) == ("images", (None, 8, 6, 2))
  assert (codes.name, codes.shape) == ("codes", (None, 3))


def test_dense_layers_follow_each_other():
  codes = parts.codes_input(2)
  options = {"activation": "relu", "kernel_initializer": "ones"}
  network = keras.Model(codes, parts.dense_layers(codes, (3, 1), **options))
  np.testing.assert_allclose(network(np.array([[1.0, 2.0], [1.0, -2.0]])), [[9], [0]])
  unchanged = parts.dense_layers(codes, (), **options)
  assert unchanged is codes


def test_four_halvings_leave_a_coarse_grid():
  assert parts.coarse_grid((64, 48, 3)) == (4, 3)
  for height, width in ((64, 50), (40, 64)):
    with pytest.raises(UserError, match=f"{height}x{width} does not fit.* 16 divides"):
      parts.coarse_grid((height, width, 3))


def test_what_is_no_image_is_told():
  parts.check_image((1, 1, 1))
  with pytest.raises(UserError, match=r"not \(5, 5\): use networks.mlp_encoder"):
    parts.check_image([5, 5])


@pytest.mark.parametrize("bad", [8, (8, 0), (8, 1.5), "88", (8, "a"), None])
def test_sizes_are_lists_of_whole_numbers(bad):
  parts.check_sizes("units", [8, np.int64(4)])
  with pytest.raises(UserError, match="^units is .* such as \\(64, 32\\)$"):
    parts.check_sizes("units", bad)


def test_so_many_sizes_as_are_needed():
  parts.check_sizes("filters", (1, 2, 3), count=3)
  with pytest.raises(UserError, match="from 1 up, 4 of them$"):
    parts.check_sizes("filters", (1, 2, 3), count=4)


def _network(**options):
  features = keras.Input((4,))
  options = {"latents": 2, "kernel_initializer": "ones", **options}
  return keras.Model(features, gaussian_head(features, **options))


def test_means_come_before_log_variances():
  network = _network()
  network.get_layer("mean").bias.assign([10.0, 20.0])
  network.get_layer("log_variance").bias.assign([-1.0, -2.0])
  outputs = network(np.array([[1.0, 2.0, 3.0, 4.0]]))
  np.testing.assert_allclose(outputs, [[20, 30, 9, 8]])


def test_constant_log_variances_do_not_look_at_the_features():
  network = _network(constant_variance=True)
  network.get_layer("log_variance").vector.assign([-1.0, -2.0])
  outputs = network(np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 5.0]]))
  np.testing.assert_allclose(outputs, [[10, 10, -1, -2], [5, 5, -1, -2]])
  assert network.count_params() == 4 * 2 + 2 + 2


def test_latents_must_be_a_number():
  with pytest.raises(UserError, match="encoder.latents is 0"):
    _network(latents=0)


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
