import numpy as np
import tensorflow as tf

from disentangle_tf import networks


def _activations(network):
  return [layer.activation.__name__ for layer in network.layers if layer.weights]


def test_parameters():
  encoder = networks.mlp_encoder((16, 16, 2), latents=9, units=(256, 128))
  assert encoder.count_params() == 513 * 256 + 257 * 128 + 2 * 129 * 9
  decoder = networks.mlp_decoder((16, 16, 2), latents=9, units=(10,))
  assert decoder.count_params() == 10 * 10 + 11 * 512


def test_networks_of_disentanglement_lib():
  encoder = networks.mlp_encoder((64, 64, 1), latents=10, units=(1200, 1200))
  assert encoder.count_params() == 4097 * 1200 + 1201 * 1200 + 1201 * 20
  assert _activations(encoder) == ["relu", "relu", "linear", "linear"]
  decoder = networks.mlp_decoder(
    (64, 64, 1), latents=10, units=(1200,) * 3, activation="tanh"
  )
  assert decoder.count_params() == 11 * 1200 + 2 * 1201 * 1200 + 1201 * 4096
  assert _activations(decoder) == ["tanh", "tanh", "tanh", "linear"]


def test_networks_of_the_pinwheel():
  encoder = networks.mlp_encoder((2,), latents=2, units=(100,))
  assert encoder.count_params() == 3 * 100 + 101 * 4
  decoder = networks.mlp_decoder((2,), latents=2, units=(100,))
  assert decoder.count_params() == 3 * 100 + 101 * 2
  assert encoder(np.zeros((5, 2))).shape == (5, 4)
  assert decoder(np.zeros((5, 2))).shape == (5, 2)


def _mean_and_log_variance(encoder, images):
  return np.split(encoder(images).numpy(), 2, axis=-1)


def test_means_are_affine_and_log_variances_constant():
  encoder = networks.linear_encoder((8, 6, 2), latents=3)
  assert encoder.count_params() == 8 * 6 * 2 * 3 + 3 + 3
  encoder.get_layer("mean").bias.assign([1.0, 2.0, 3.0])
  encoder.get_layer("log_variance").vector.assign([-1.0, 0.0, 2.0])
  first, second = np.random.default_rng(0).normal(size=(2, 5, 8, 6, 2))
  mean, log_variance = _mean_and_log_variance(encoder, first)
  np.testing.assert_array_equal(log_variance, [[-1, 0, 2]] * 5)
  other, _ = _mean_and_log_variance(encoder, second)
  both, _ = _mean_and_log_variance(encoder, first + second)
  np.testing.assert_allclose(both, mean + other - [1, 2, 3], atol=1e-5)
  kernel = encoder.get_layer("mean").kernel.numpy()
  expected = first.reshape(5, -1) @ kernel + [1, 2, 3]
  np.testing.assert_allclose(mean, expected, atol=1e-5)


def test_log_variances_are_learnt():
  encoder = networks.linear_encoder((2,), latents=2)
  with tf.GradientTape() as tape:
    total = tf.reduce_sum(encoder(np.ones((5, 2)))[:, 2:])
  vector = encoder.get_layer("log_variance").vector
  np.testing.assert_array_equal(tape.gradient(total, vector.value), [5, 5])


def test_decoder_is_affine():
  decoder = networks.linear_decoder((8, 6, 2), latents=3)
  assert decoder.count_params() == 3 * 8 * 6 * 2 + 8 * 6 * 2
  first, second = np.random.default_rng(0).normal(size=(2, 5, 3))
  bias = decoder(np.zeros((1, 3)))
  both = decoder(first) + decoder(second) - bias
  np.testing.assert_allclose(decoder(first + second), both, atol=1e-5)


def test_discriminator_of_table_4b():
  discriminator = networks.mlp_discriminator(10)
  dense = 11 * 1000 + 5 * 1001 * 1000 + 1001 * 2
  assert discriminator.count_params() == dense
  assert discriminator.output_shape == (None, 2)


def test_leaks_a_fifth():
  discriminator = networks.mlp_discriminator(1, units=(1,), kernel_initializer="ones")
  np.testing.assert_allclose(
    discriminator(np.array([[2.0], [-2.0]])), [[2, 2], [-0.4, -0.4]], rtol=1e-6
  )
