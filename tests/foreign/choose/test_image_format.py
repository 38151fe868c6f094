import numpy as np
import pytest
from made_up_offers import FLAT, NCHW, NHWC, SHAPE, choose, image, offer

IMAGES = np.random.default_rng(0).random((2, *SHAPE), np.float32)


def layout_of(*offers, **options):
  return choose(*offers, **options).takes.layout


@pytest.mark.parametrize(
  ("shape", "layout"),
  [
    (NHWC, "NHWC"),
    (NCHW, "NCHW"),
    (FLAT, "flat NHWC"),
    ((None, None, None, 3), "NHWC"),
    ((None, 3, None, None), "NCHW"),
    ((None, None, None, None), "NHWC"),
    ((16, 8, 6, 3), "NHWC"),
    (None, "NHWC"),
    ((None, None), "flat NHWC"),
  ],
)
def test_layouts(shape, layout):
  assert layout_of(offer(image(shape))) == layout


def test_layouts_with_channels_first():
  assert layout_of(offer(image(None)), channels_first=True) == "NCHW"
  assert layout_of(offer(image((None,) * 4)), channels_first=True) == "NCHW"
  assert layout_of(offer(image(NHWC)), channels_first=True) == "NHWC"


@pytest.mark.parametrize("order", ["NHWC", "NCHW"])
def test_flat_images_have_an_order(order):
  interface = choose(offer(image(FLAT)), layout=order)
  assert interface.takes.layout == f"flat {order}"
  images = np.random.default_rng(0).random((2, *SHAPE), np.float32)
  expected = images if order == "NHWC" else images.transpose(0, 3, 1, 2)
  prepared = interface.prepare(images)
  np.testing.assert_array_equal(prepared, expected.reshape(2, -1))
  np.testing.assert_allclose(interface.restore(prepared), images, atol=1e-6)
  likely = layout_of(offer(image(FLAT)), channels_first=True)
  assert likely == "flat NCHW"  # as PyTorch flattens


def test_an_ambiguous_shape():
  ambiguous = offer(image((None, 3, 3, 3)))
  assert layout_of(ambiguous, shape=(3, 3, 3)) == "NHWC"
  assert layout_of(ambiguous, shape=(3, 3, 3), channels_first=True) == "NCHW"
  assert layout_of(ambiguous, shape=(3, 3, 3), layout="NCHW") == "NCHW"


def test_images_without_an_axis_of_channels():
  interface = choose(offer(image((None, 8, 6))), shape=(8, 6, 1))
  assert interface.takes.layout == "NHW" and not interface.remarks
  assert interface.prepare(np.zeros((2, 8, 6, 1))).shape == (2, 8, 6)


def test_channels_first_moves_pixels():
  prepared = choose(offer(image(NCHW))).prepare(IMAGES)
  np.testing.assert_array_equal(prepared[1, 2], IMAGES[1, :, :, 2])
