import keras
import numpy as np
import pytest

from disentangle_tf.errors import UserError
from disentangle_tf.networks.heads import gaussian_head


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
