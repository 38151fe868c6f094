"""The gin files of networks give those of the papers' tables."""

import gin
import pytest

from disentangle_tf.commands.gin_configuration import read_configuration


def _table(network):
  """(width, activation) of each layer, or (width, kernel size, activation)."""
  rows = []
  for layer in network.layers:
    if hasattr(layer, "kernel_size"):
      rows.append((layer.filters, layer.kernel_size[0], layer.activation.__name__))
    elif hasattr(layer, "units"):
      rows.append((layer.units, layer.activation.__name__))
  return rows


def _networks(name, data):
  files = ["losses/mse", "models/beta_vae", f"data/{data}", f"networks/{name}"]
  values = ["LATENTS=2", "BETA=1", "models.BetaVAE.standardisation=None"]
  values += ["UNITS=(100,)"] * (data == "pinwheel")
  read_configuration([f"gin/{file}.gin" for file in files], values)
  bound = gin.get_bindings("models.BetaVAE")
  return bound["encoder"], bound["decoder"]


HEADS = [(2, "linear")] * 2
CONVOLUTIONS = [(32, 4, "relu")] * 2 + [(64, 4, "relu")] * 2


@pytest.mark.parametrize(
  ("name", "data", "encoder_rows", "decoder_rows"),
  [
    (
      "conv_dlib",
      "xysquares",
      [*CONVOLUTIONS[:2], (64, 2, "relu"), (64, 2, "relu"), (256, "relu"), *HEADS],
      [
        *[(256, "relu"), (1024, "relu"), (64, 4, "relu"), (32, 4, "relu")],
        *[(32, 4, "relu"), (3, 4, "linear")],
      ],
    ),
    (
      "conv_dense_128",
      "xysquares",
      [*CONVOLUTIONS, (128, "linear"), *HEADS],
      [
        *[(128, "relu"), (1024, "relu"), (64, 4, "relu"), (64, 4, "relu")],
        *[(32, 4, "relu"), (3, 4, "linear")],
      ],
    ),
    (
      "mlp_dlib",
      "xysquares",
      [(1200, "relu"), (1200, "relu"), *HEADS],
      [(1200, "tanh"), (1200, "tanh"), (1200, "tanh"), (64 * 64 * 3, "linear")],
    ),
    (
      "mlp",  # with the width of gin/runs/mathieu_pinwheel.gin
      "pinwheel",
      [(100, "relu"), *HEADS],
      [(100, "relu"), (2, "linear")],
    ),
    (
      "spatial_broadcast",
      "xysquares",
      [*CONVOLUTIONS, (256, "relu"), *HEADS],
      [(64, 4, "relu"), (64, 4, "relu"), (3, 4, "linear")],
    ),
  ],
)
def test_networks_of_the_tables(name, data, encoder_rows, decoder_rows):
  encoder, decoder = _networks(name, data)
  assert _table(encoder) == encoder_rows
  assert _table(decoder) == decoder_rows


@pytest.mark.parametrize("name", ["dcgan", "linear"])
def test_networks_without_options(name):
  encoder, decoder = _networks(name, "xysquares_small")
  assert encoder.name == f"{name}_encoder"
  assert decoder.output_shape == (None, 16, 16, 2)
