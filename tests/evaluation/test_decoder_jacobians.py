import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data

from disentangle_tf.data import NoisyDSprites
from disentangle_tf.evaluation import CodesTable
from disentangle_tf.evaluation.decoder_jacobians import decoder_jacobians

RNG = np.random.default_rng(0)
CODES = RNG.normal(size=(20, 2)).astype(np.float32)


def _waves(codes):
  """Images [N, 1, 3, 1] in float32."""
  first, second = codes.T
  pixels = [np.sin(2 * first), np.cos(first) * second, 0.5 * second]
  return np.stack(pixels, axis=1)[:, None, :, None].astype(np.float32)


def _slopes(codes):
  first, second = codes.T.astype(np.float64)
  zero = np.zeros_like(first)
  columns = [
    [2 * np.cos(2 * first), -np.sin(first) * second, zero],
    [zero, np.cos(first), zero + 0.5],
  ]
  return np.array(columns).transpose(2, 1, 0)


def test_known_slopes():
  found = decoder_jacobians(_waves, CODES, np.full_like(CODES, -3.0))
  assert found.shape == (20, 3, 2) and found.dtype == np.float32
  np.testing.assert_allclose(found, _slopes(CODES), atol=3e-4)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("shift", [0.0, 50.0])
def test_codes_of_any_scale(scale, shift):
  """Those of an autoencoder may have any; so may what is known of a stranger's."""

  def decode(codes):
    return _waves((codes.astype(np.float64) / scale) - shift)

  codes = (scale * (CODES + shift)).astype(np.float32)
  found = scale * decoder_jacobians(decode, codes)
  np.testing.assert_allclose(found, _slopes(CODES), atol=3e-3)


def test_a_latent_that_never_changes():
  codes = CODES * [1, 0]
  for log_variances in (None, np.full_like(CODES, -87.3)):
    found = decoder_jacobians(_waves, codes, log_variances)
    np.testing.assert_allclose(found, _slopes(codes), atol=3e-4)


def test_each_point_costs_two_decodings_a_latent():
  asked = []

  def decode(codes):
    asked.append(len(codes))
    return _waves(codes)

  decoder_jacobians(decode, CODES)
  assert sum(asked) == 2 * 2 * len(CODES)


@pytest.mark.parametrize(
  "data",
  [tiny_data(), NoisyDSprites(image_size=8, sizes=(1, 1, 1, 4, 4))],
  ids=["finite", "endless"],
)
def test_tables_of_any_set_give_those_of_the_decoder(data):
  """Against TensorFlow's own, of a network without a kink."""
  shape = (np.prod(data.observation_shape), 3)
  angles = RNG.normal(scale=0.2, size=shape).astype(np.float32)
  decoder = keras.Sequential(
    [keras.layers.Dense(16, activation="tanh"), keras.layers.Dense(20)]
  )
  table = CodesTable.of_model(
    lambda images: (images.reshape(len(images), -1) @ angles, None),
    data,
    decode=lambda codes: decoder(codes).numpy(),
  )
  assert table.can_decode and table.num_pixels == np.prod(data.observation_shape)
  seen = table.sample(5, np.random.default_rng(0))
  codes = tf.constant(seen.codes)
  with tf.GradientTape() as tape:
    tape.watch(codes)
    images = decoder(codes)
  expected = tape.batch_jacobian(images, codes)
  np.testing.assert_allclose(table.jacobians(seen), expected, atol=1e-3)
