import dataclasses

import keras
import numpy as np
import pytest
import tensorflow as tf
from shared_checks import tiny_data

from disentangle_tf.data import NoisyDSprites, PartialFactorSpace
from disentangle_tf.errors import UserError
from disentangle_tf.scoring import CodesTable
from disentangle_tf.scoring.observations import (
  Observations,
  bin_factors,
  decoder_jacobians,
)


def test_values_are_numbered_in_their_order():
  space, numbers, remarks = bin_factors(
    [np.array([30, 10, 20, 10]), np.array([-0.5, 0.5, 0.5, -0.5])], ("a", "b"), 20
  )
  assert numbers.tolist() == [[2, 0], [0, 1], [1, 1], [0, 0]]
  assert (space.names, space.sizes, remarks) == (("a", "b"), (3, 2), [])
  assert isinstance(space, PartialFactorSpace) and space.num_points == 4


def test_all_combinations_are_a_whole_grid():
  space, _, _ = bin_factors([np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])], "ab", 20)
  assert space.is_whole and space.sizes == (2, 2)


def test_a_continuous_factor_is_cut_into_bins_of_equal_width():
  column = np.array([0.0, 0.1, 0.3, 0.55, 0.9, 1.0])
  space, numbers, remarks = bin_factors([column], ("width",), 4)
  assert numbers[:, 0].tolist() == [0, 0, 1, 2, 3, 3]
  assert space.sizes == (4,)
  assert remarks == ["width is continuous (6 values), scored in 4 bins"]


def test_whole_numbers_stay_however_many_and_whatever_their_type():
  for kind in (np.int64, np.float64):
    space, numbers, remarks = bin_factors([np.arange(30).astype(kind)], ("a",), 4)
    assert space.sizes == (30,) and remarks == []
    np.testing.assert_array_equal(numbers[:, 0], np.arange(30))


def test_bins_must_be_a_number():
  with pytest.raises(UserError, match="evaluate.factor_bins is 0"):
    bin_factors([np.arange(3)], ("a",), 0)


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
  """Codes of an autoencoder or of a foreign model may have any spread."""

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


def test_there_are_as_many_as_points():
  seen = Observations(np.zeros((5, 2), np.int32), np.zeros((5, 3)))
  assert len(seen) == 5
  assert seen.log_variances is None and seen.reconstruct is None


def test_they_stay_as_they_are():
  seen = Observations(np.zeros((1, 2), np.int32), np.zeros((1, 3)))
  with pytest.raises(dataclasses.FrozenInstanceError):
    seen.codes = np.ones((1, 3))
