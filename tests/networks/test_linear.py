import numpy as np
import tensorflow as tf

from disentangle_tf import networks


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
