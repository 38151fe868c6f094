import numpy as np
import pytest
from made_up_offers import SHAPE, choose, image, offer

from disentangle_tf.foreign.choose.with_channels import with_channels


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
