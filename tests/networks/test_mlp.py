import numpy as np

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
