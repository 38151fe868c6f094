from disentangle_tf import networks


def _convolutions(*layers):
  """Parameters of (kernel size, filters in, filters out), with biases."""
  return sum(size**2 * before * after + after for size, before, after in layers)


def _dense(*widths):
  pairs = zip(widths[:-1], widths[1:], strict=True)
  return sum((before + 1) * after for before, after in pairs)


def test_networks_of_table_a3():
  encoder = networks.conv_encoder((64, 64, 3), latents=9)
  convolutions = _convolutions((4, 3, 32), (4, 32, 32), (4, 32, 64), (4, 64, 64))
  assert encoder.count_params() == convolutions + _dense(1024, 256, 2 * 9)
  decoder = networks.conv_decoder((64, 64, 3), latents=9)
  convolutions = _convolutions((4, 64, 64), (4, 64, 32), (4, 32, 32), (4, 32, 3))
  assert decoder.count_params() == _dense(9, 256, 1024) + convolutions


def test_encoder_of_disentanglement_lib():
  encoder = networks.conv_encoder((64, 64, 1), latents=10, kernel_sizes=(4, 4, 2, 2))
  convolutions = _convolutions((4, 1, 32), (4, 32, 32), (2, 32, 64), (2, 64, 64))
  assert encoder.count_params() == convolutions + _dense(1024, 256, 2 * 10)


def test_networks_of_the_decomposition_paper():
  encoder = networks.conv_encoder(
    (64, 64, 1), latents=10, dense_units=128, dense_activation=None
  )
  convolutions = _convolutions((4, 1, 32), (4, 32, 32), (4, 32, 64), (4, 64, 64))
  assert encoder.count_params() == convolutions + _dense(1024, 128, 2 * 10)
  activations = [layer.activation.__name__ for layer in encoder.layers if layer.weights]
  assert activations == ["relu"] * 4 + ["linear"] * 3
  decoder = networks.conv_decoder(
    (64, 64, 1), latents=10, dense_units=128, filters=(64, 64, 32)
  )
  convolutions = _convolutions((4, 64, 64), (4, 64, 64), (4, 64, 32), (4, 32, 1))
  assert decoder.count_params() == _dense(10, 128, 1024) + convolutions
