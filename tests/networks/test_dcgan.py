import keras
import numpy as np
import pytest
import tensorflow as tf
from keras import layers

from disentangle_tf import networks


def _images(count=8):
  rng = np.random.default_rng(0)
  return rng.normal(3, 2, size=(count, 32, 32, 2)).astype(np.float32)


def _normalisations(network):
  return [
    each for each in network.layers if isinstance(each, layers.BatchNormalization)
  ]


def _first_normalised(network):
  """The network up to its first normalisation, and that layer."""
  first = _normalisations(network)[0]
  return keras.Model(network.input, [first.input, first.output]), first


def test_networks_of_table_1c():
  encoder = networks.dcgan_encoder((64, 64, 3), latents=50)
  convolutions = 16 * (3 * 32 + 32 * 64 + 64 * 128 + 128 * 256)
  normalisations = 4 * (32 + 64 + 128 + 256)  # of which half are moving averages
  heads = 2 * (4 * 4 * 256 + 1) * 50
  assert encoder.count_params() == convolutions + normalisations + heads
  decoder = networks.dcgan_decoder((64, 64, 3), latents=50)
  convolutions = 16 * (50 * 256 + 256 * 128 + 128 * 64 + 64 * 32 + 32 * 3) + 3
  assert decoder.count_params() == convolutions + normalisations
  assert len(_normalisations(encoder)) == len(_normalisations(decoder)) == 4


def test_activations():
  encoder = networks.dcgan_encoder((16, 16, 1), latents=2)
  decoder = networks.dcgan_decoder((16, 16, 1), latents=2)
  for network, slope in ((encoder, 0.2), (decoder, 0.0)):
    activations = [
      layer for layer in network.layers if isinstance(layer, layers.Activation)
    ]
    assert len(activations) == 4
    for activation in activations:
      np.testing.assert_allclose(activation(np.array([-1.0, 2.0])), [-slope, 2])


def test_initial_weights_are_those_of_dcgan():
  kernel = networks.dcgan_encoder((64, 64, 3), latents=50).get_layer("mean").kernel
  assert np.std(kernel) == pytest.approx(0.02, rel=0.02)


@pytest.mark.parametrize("jit_compile", [False, True])
def test_training_normalises_over_the_batch_and_learns_its_statistics(jit_compile):
  network, layer = _first_normalised(networks.dcgan_encoder((32, 32, 2), latents=3))

  @tf.function(jit_compile=jit_compile)
  def train(images):
    return network(images, training=True)

  before, after = (values.numpy() for values in train(_images()))
  mean, variance = before.mean(axis=(0, 1, 2)), before.var(axis=(0, 1, 2))
  expected = (before - mean) / np.sqrt(variance + 1e-5)
  np.testing.assert_allclose(after, expected, rtol=1e-3, atol=1e-3)
  np.testing.assert_allclose(layer.moving_mean, 0.1 * mean, rtol=1e-3, atol=1e-6)
  np.testing.assert_allclose(layer.moving_variance, 0.9 + 0.1 * variance, rtol=1e-3)


def test_without_training_the_moving_averages_are_used_and_kept():
  network, layer = _first_normalised(networks.dcgan_encoder((32, 32, 2), latents=3))
  layer.moving_mean.assign(np.full(32, 0.5))
  layer.moving_variance.assign(np.full(32, 4.0))
  before, after = (values.numpy() for values in network(_images()))
  np.testing.assert_allclose(after, (before - 0.5) / np.sqrt(4 + 1e-5), atol=1e-5)
  np.testing.assert_array_equal(layer.moving_mean, np.full(32, 0.5))


def test_replicas_share_their_statistics(two_replicas):
  whole = networks.dcgan_encoder((32, 32, 2), latents=3)
  with two_replicas.scope():
    encoder = networks.dcgan_encoder((32, 32, 2), latents=3)
  encoder.set_weights(whole.get_weights())
  images = tf.constant(_images() * np.arange(1, 9)[:, None, None, None])
  outputs = whole(images, training=True)

  halves = two_replicas.experimental_distribute_values_from_function(
    lambda context: tf.split(images, 2)[context.replica_id_in_sync_group]
  )
  train = tf.function(lambda half: encoder(half, training=True))
  parts = two_replicas.run(train, args=(halves,))
  parts = two_replicas.experimental_local_results(parts)
  np.testing.assert_allclose(tf.concat(parts, axis=0), outputs, rtol=1e-3, atol=1e-4)
  for ours, theirs in zip(
    _normalisations(encoder), _normalisations(whole), strict=True
  ):
    for name in ("moving_mean", "moving_variance"):
      copies = two_replicas.experimental_local_results(getattr(ours, name).value)
      for copy in copies:
        np.testing.assert_allclose(copy, getattr(theirs, name), rtol=1e-3, atol=1e-6)
