"""What all networks promise; each one's own tests stand beside this file."""

import keras
import numpy as np
import pytest
from shared_checks import half_precision

from disentangle_tf import networks
from disentangle_tf.errors import UserError

SHAPE = (16, 32, 2)
ENCODERS = [name for name in networks.__all__ if name.endswith("encoder")]
DECODERS = [name for name in networks.__all__ if name.endswith("decoder")]
OTHERS = ["mlp_discriminator"]
HALVING = ["conv_encoder", "conv_decoder", "dcgan_encoder", "dcgan_decoder"]


def _make(name, shape=SHAPE, **options):
  function = getattr(networks, name)
  if name in OTHERS:
    return function(3, units=(8, 8), **options)
  return function(shape, latents=3, **options)


def _inputs(network, count=2):
  shape = (count, *network.input_shape[1:])
  return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def test_these_are_all():
  assert sorted(ENCODERS + DECODERS + OTHERS) == sorted(networks.__all__)


@pytest.mark.parametrize("name", networks.__all__)
def test_shapes(name):
  network = _make(name)
  image, code, gaussian = (None, *SHAPE), (None, 3), (None, 6)
  ends = (image, gaussian) if name in ENCODERS else (code, image)
  ends = (code, (None, 2)) if name in OTHERS else ends
  assert (network.input_shape, network.output_shape) == ends
  outputs = network(_inputs(network))
  assert outputs.shape == (2, *ends[1][1:])
  assert np.isfinite(outputs).all()


@pytest.mark.parametrize("name", networks.__all__)
def test_last_layers_stay_in_float32(name):
  with half_precision("mixed_bfloat16"):
    network = _make(name)
  assert network.output.dtype == "float32"
  assert network(_inputs(network)).dtype == "float32"
  inner = {layer.compute_dtype for layer in network.layers if layer.weights}
  assert inner == ({"float32"} if "linear" in name else {"bfloat16", "float32"})


@pytest.mark.parametrize("name", networks.__all__)
def test_networks_are_saved_and_loaded(name, tmp_path):
  network = _make(name)
  network.save(tmp_path / "network.keras")
  loaded = keras.models.load_model(tmp_path / "network.keras")
  inputs = _inputs(network)
  np.testing.assert_allclose(network(inputs), loaded(inputs), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", networks.__all__)
def test_layers_of_one_shape_begin_with_different_weights(name):
  kernels = [w.numpy() for w in _make(name).weights if w.name == "kernel"]
  assert all(kernel.std() > 0 for kernel in kernels)
  pairs = [(a, b) for i, a in enumerate(kernels) for b in kernels[:i]]
  assert not any(np.array_equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("name", HALVING)
def test_four_halvings_need_sides_that_16_divides(name):
  _make(name, (32, 48, 1))
  with pytest.raises(UserError, match="28x30 .* sides that 16 divides.*mlp_encoder$"):
    _make(name, (28, 30, 1))


@pytest.mark.parametrize("name", [*HALVING, "spatial_broadcast_decoder"])
def test_convolutions_refuse_what_is_not_an_image(name):
  with pytest.raises(UserError, match=r"not \(2,\): use networks.mlp_encoder"):
    _make(name, (2,))


@pytest.mark.parametrize("name", networks.__all__)
def test_latents_must_be_a_number(name):
  with pytest.raises(UserError, match="latents is 0: .* whole number from 1 up"):
    function = getattr(networks, name)
    function(0) if name in OTHERS else function(SHAPE, latents=0)


@pytest.mark.parametrize(
  ("name", "options", "message"),
  [
    ("mlp_encoder", {"units": 256}, r"units is 256: it must list whole numbers"),
    ("mlp_discriminator", {"units": ("a",)}, r"units is \('a',\): it must list"),
    ("conv_encoder", {"kernel_sizes": (4, 4)}, r"\(4, 4\): .* 4 of them$"),
    ("conv_decoder", {"filters": (64, 64)}, r"\(64, 64\): .* 3 of them$"),
    ("conv_decoder", {"dense_units": 0}, r"conv_decoder.dense_units is 0"),
    ("spatial_broadcast_decoder", {"filters": 64}, r"filters is 64: it must list"),
  ],
)
def test_wrong_sizes_are_one_line(name, options, message):
  function = getattr(networks, name)
  with pytest.raises(UserError, match=message) as raised:
    function(3, **options) if name in OTHERS else function(SHAPE, latents=3, **options)
  assert "\n" not in str(raised.value)
