import numpy as np
import pytest
from made_up_offers import FLAT, NCHW, NHWC, SHAPE, choose, codes, image, offer

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.interface.tensors import is_vector, mismatch, vector_width
from disentangle_tf.foreign.scan.verdict import Offer, Tensor


def test_the_error_lists_what_there_is():
  images, codes = Tensor("x", "float32", (None, 4)), Tensor("z", "float32", None)
  error = mismatch(
    "it is too small", [Offer("a", (images,), ()), Offer("b", (), (codes,))]
  )
  assert type(error) is UserError
  assert str(error) == (
    "it is too small; the model offers a: x float32 [?, 4] ->  | b:  -> z float32 [?]"
  )


@pytest.mark.parametrize(
  "shape", [(None, 1, 1, 5), (None, 5, 1, 1), None, (None, None)]
)
def test_shapes_that_are_vectors(shape):
  assert choose(offer(outputs=codes("mean", shape=shape))).encode.outputs == ("mean",)


@pytest.mark.parametrize(
  ("shape", "vector", "width"),
  [
    ((None, 5), True, 5),
    ((4, 5), True, 5),
    ((None, 1, 1, 5), True, 5),
    ((None, 5, 1, 1), True, 5),
    ((None, None), True, None),
    (None, True, None),
    ((None,), False, 1),
    ((None, 5, 1), False, 5),
    ((None, 1, 5, 1), False, 5),
    ((None, 8, 8, 1), False, 64),
  ],
)
def test_vectors_and_their_widths(shape, vector, width):
  tensor = Tensor("z", "float32", shape)
  assert is_vector(tensor) == vector
  assert vector_width(tensor) == width


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
