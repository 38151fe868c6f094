import numpy as np
import pytest

from disentangle_tf import networks
from disentangle_tf.errors import UserError


def test_conv_networks_are_those_of_table_a3():
  encoder = networks.conv_encoder((64, 64, 3), latents=9)
  decoder = networks.conv_decoder((64, 64, 3), latents=9)
  convolutions = 16 * (3 * 32 + 32 * 32 + 32 * 64 + 64 * 64) + 32 + 32 + 64 + 64
  dense = (1024 + 1) * 256 + 2 * (256 + 1) * 9
  assert encoder.count_params() == convolutions + dense
  dense = (9 + 1) * 256 + (256 + 1) * 1024
  upwards = 16 * (64 * 64 + 64 * 32 + 32 * 32 + 32 * 3) + 64 + 32 + 32 + 3
  assert decoder.count_params() == dense + upwards
  assert decoder.output_shape == (None, 64, 64, 3)
  assert encoder.output_shape == (None, 18)


def test_conv_networks_take_any_sides_that_16_divides():
  assert networks.conv_decoder((32, 48, 1), latents=4).output_shape == (None, 32, 48, 1)
  for make in (networks.conv_encoder, networks.conv_decoder):
    with pytest.raises(UserError, match="16 divides"):
      make((28, 28, 1), latents=4)


def test_mlp_networks():
  encoder = networks.mlp_encoder((16, 16, 2), latents=9, units=(256, 128))
  assert encoder.count_params() == 513 * 256 + 257 * 128 + 2 * 129 * 9
  decoder = networks.mlp_decoder((16, 16, 2), latents=9, units=(10,))
  assert decoder.count_params() == 10 * 10 + 11 * 512
  assert decoder(np.zeros((4, 9))).shape == (4, 16, 16, 2)


def test_last_layers_stay_in_float32():
  import keras

  before = keras.config.dtype_policy()
  keras.config.set_dtype_policy("mixed_bfloat16")
  try:
    for make in (networks.conv_encoder, networks.mlp_encoder):
      assert make((16, 16, 1), latents=2)(np.zeros((1, 16, 16, 1))).dtype == "float32"
    for make in (networks.conv_decoder, networks.mlp_decoder):
      assert make((16, 16, 1), latents=2)(np.zeros((1, 2))).dtype == "float32"
  finally:
    keras.config.set_dtype_policy(before)
