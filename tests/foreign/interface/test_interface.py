import numpy as np
import pytest
from made_up_offers import (
  DECODE,
  ENCODE,
  FLAT,
  NCHW,
  NHWC,
  SHAPE,
  choose,
  codes,
  image,
  offer,
)
from scipy import special

from disentangle_tf.foreign.interface.interface import with_channels


@pytest.mark.parametrize(
  ("shape", "remark"),
  [
    ((None, 8, 6, 3), "images of 1 channel given as 3, repeated"),
    ((None, 3, 8, 6), "images of 1 channel given as 3, repeated"),
    ((None, 144), "images of 1 channel given as 3, repeated"),
    ((None, 8, 6, 1), "images of 3 channels given as 1, by their luminance"),
    ((None, 1, 8, 6), "images of 3 channels given as 1, by their luminance"),
    ((None, 8, 6), "images of 3 channels given as 1, by their luminance"),
    ((None, 48), "images of 3 channels given as 1, by their luminance"),
  ],
)
def test_other_channels(shape, remark):
  channels = 1 if "repeated" in remark else 3
  grey = np.random.default_rng(0).random((2, 8, 6, 1), np.float32)
  images = np.repeat(grey, channels, axis=-1)
  interface = choose(offer(image(shape)), shape=images.shape[1:])
  assert interface.remarks == (remark,)
  prepared = interface.prepare(images)
  assert prepared.shape == (2, *shape[1:])
  np.testing.assert_allclose(interface.restore(prepared), images, atol=1e-6)


def test_luminance():
  interface = choose(offer(image((None, 8, 6))))
  colours = np.zeros((3, *SHAPE), np.float32)
  colours[[0, 1, 2], ..., [0, 1, 2]] = 1
  found = interface.prepare(colours)[:, 0, 0]
  np.testing.assert_allclose(found, [0.299, 0.587, 0.114], atol=1e-6)


def test_grey_and_colour():
  grey = np.float32([[0.25], [1.0]])
  assert with_channels(grey, 1) is grey
  np.testing.assert_array_equal(with_channels(grey, 3), [[0.25] * 3, [1.0] * 3])
  found = with_channels(np.float32([[1, 0, 0], [0, 1, 1]]), 1)
  np.testing.assert_allclose(found, [[0.299], [0.701]], rtol=1e-6)


@pytest.mark.parametrize(
  ("values", "role"),
  [(0.25, "variance"), (0.5, "scale"), (np.log(0.5), "log_scale")],
)
def test_spreads_become_log_variances(values, role):
  outputs = codes("m", "s")
  interface = choose(offer(outputs=outputs), output_key=("m", f"{role}=s"))
  found = interface.log_variances(np.array([values], np.float32))
  np.testing.assert_allclose(found, np.log(0.25), rtol=1e-6)


def test_a_spread_of_zero_is_finite():
  interface = choose(offer(outputs=codes("mu", "sigma")))
  assert np.isfinite(interface.log_variances(np.zeros(3, np.float32))).all()


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
