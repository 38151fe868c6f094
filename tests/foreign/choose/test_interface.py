import numpy as np
import pytest
from made_up_offers import DECODE, ENCODE, FLAT, NCHW, NHWC, SHAPE, choose, image, offer
from scipy import special

IMAGES = np.random.default_rng(0).random((2, *SHAPE), np.float32)
OUTPUTS = np.random.default_rng(0).normal(size=(2, 144)).astype(np.float32)


@pytest.mark.parametrize("shape", [NHWC, NCHW, FLAT])
@pytest.mark.parametrize("input_range", [None, (-1.0, 1.0), (0.0, 255.0)])
def test_prepare_and_restore(shape, input_range):
  interface = choose(offer(image(shape)), input_range=input_range)
  prepared = interface.prepare(IMAGES)
  assert prepared.shape == (2, *shape[1:])
  low, high = input_range or (0.0, 1.0)
  assert low <= prepared.min() < prepared.max() <= high
  np.testing.assert_allclose(interface.restore(prepared), IMAGES, atol=1e-6)
  np.testing.assert_allclose(
    interface.restore(prepared.reshape(2, -1)), IMAGES, atol=1e-6
  )


@pytest.mark.parametrize("dtype", ["uint8", "int32"])
def test_whole_numbers(dtype):
  interface = choose(offer(image(dtype=dtype)))
  assert interface.input_range == (0.0, 255.0)
  images = np.full((1, *SHAPE), 0.499, np.float32)
  prepared = interface.prepare(images)
  assert prepared.dtype == np.float32
  np.testing.assert_array_equal(prepared, 127)


def test_restore_cuts_off():
  interface = choose(offer())
  assert interface.restore(np.full((1, *SHAPE), 7.0)).max() == 1
  assert interface.restore(np.full((1, *SHAPE), -7.0)).min() == 0


def test_points_are_not_images():
  interface = choose(offer(image((None, 4))), shape=(4,), resize=(9, 9))
  points = np.array([[-3.0, 0.0, 0.5, 7.0]], np.float32)
  np.testing.assert_array_equal(interface.prepare(points), points)
  np.testing.assert_array_equal(interface.restore(points), points)


def test_resize():
  interface = choose(offer(image((None, 4, 2, 3))), resize=(4, 2))
  flat = np.full((2, *SHAPE), 0.5, np.float32)
  prepared = interface.prepare(flat)
  assert prepared.shape == (2, 4, 2, 3)
  np.testing.assert_allclose(prepared, 0.5, atol=1e-6)
  restored = interface.restore(prepared)  # to be compared with the images
  assert restored.shape == flat.shape
  np.testing.assert_allclose(restored, 0.5, atol=1e-6)


def test_logits():
  interface = choose(ENCODE, DECODE, decoder_output="logits", input_range=(-1.0, 1.0))
  found = interface.restore(OUTPUTS, interface.decode)
  expected = special.expit(OUTPUTS).reshape(2, *SHAPE)
  np.testing.assert_allclose(found, expected, rtol=1e-6)
  assert interface.is_bernoulli
  np.testing.assert_array_equal(interface.logits(OUTPUTS).ravel(), OUTPUTS.ravel())
  assert "decode by decode as logits" in interface.describe()


def test_probabilities():
  probabilities = special.expit(OUTPUTS)
  interface = choose(
    ENCODE, DECODE, decoder_output="probabilities", input_range=(-1.0, 1.0)
  )
  found = interface.restore(probabilities, interface.decode)
  np.testing.assert_allclose(found.reshape(2, -1), probabilities, rtol=1e-6)
  logits = interface.logits(probabilities).reshape(2, -1)
  np.testing.assert_allclose(logits, OUTPUTS, atol=1e-4)
  sure = np.tile(np.float32([0, 1]), (1, 72))
  assert np.isfinite(interface.logits(sure)).all()


def test_a_likelihood_is_of_the_images_themselves():
  options = {"decoder_output": "logits"}
  assert choose(ENCODE, DECODE, **options).is_bernoulli
  assert not choose(ENCODE, **options).is_bernoulli  # nothing decodes
  assert not choose(ENCODE, DECODE).is_bernoulli
  assert not choose(ENCODE, DECODE, shape=(8, 6, 1), **options).is_bernoulli
  resized = choose(ENCODE, DECODE, shape=(9, 9, 3), resize=(8, 6), **options)
  assert not resized.is_bernoulli
