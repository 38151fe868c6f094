import pytest
from made_up_offers import FLAT, NHWC, choose, image, offer, refuse

from disentangle_tf.foreign.look.offer import Tensor


def test_names_of_signatures():
  names = ["zeta", "serving_default", "gaussian_encoder", "encode"]
  offers = [offer(name=name) for name in names]
  assert choose(*offers).encode.signature == "encode"
  assert choose(*offers[:3]).encode.signature == "gaussian_encoder"
  assert choose(*offers[:2]).encode.signature == "serving_default"
  assert choose(offers[0]).encode.signature == "zeta"
  assert refuse(
    offer(name="a"), offer(name="b"), match="a, b may encode.*argument signature"
  )


def test_the_signature_that_fits_is_taken():
  other = offer(image((None, 9, 9, 3)), name="encode")
  assert choose(other, offer(name="theirs")).encode.signature == "theirs"
  assert refuse(other, offer(image((None, 7)), name="b"), match="no signature takes")


def test_no_signature_at_all():
  refuse(match="no signature takes images")


def test_an_unclear_signature_beside_a_clear_one():
  unclear = offer(image(NHWC, name="a"), image(FLAT, name="b"), name="f")
  assert choose(unclear, offer(name="encode")).encode.signature == "encode"


def test_a_layout_that_does_not_fit():
  assert refuse(offer(image(NHWC)), layout="NCHW", match="resize, layout")


def test_points():
  interface = choose(offer(image((None, 10))), shape=(10,))
  assert interface.takes.layout == "points"
  refuse(
    offer(image((None, 11))), shape=(10,), match=r"takes no images of shape \(10,\)"
  )


@pytest.mark.parametrize(
  "shape", [(None, 8, 6, 2), (None, 6, 8, 3), (None, 143), (None, 6, 8), (None,), ()]
)
def test_sizes_that_do_not_fit(shape):
  text = refuse(offer(image(shape)), match=r"no images of shape \(8, 6, 3\)")
  assert "resize" in text and "other data" in text


@pytest.mark.parametrize("dtype", ["string", "object", "unknown", "bool", "complex64"])
def test_inputs_that_are_no_numbers(dtype):
  assert refuse(offer(image(None, dtype)), match="takes no images")


def test_two_different_inputs():
  inputs = image(NHWC, name="a"), image(FLAT, name="b")
  assert refuse(offer(*inputs), match="several inputs may be .*argument input_key")
  refuse(offer(*inputs), input_key="b", match="not go into its input a .*inputs: a=")


def test_inputs_of_unknown_shape():
  """As placeholders of TensorFlow 1 often are."""
  keep = Tensor("keep_prob", "float32", None)
  refuse(offer(keep, image()), match="its input keep_prob .*inputs: keep_prob=VALUE")
  found = choose(offer(keep, image(None)), inputs=(("keep_prob", 1.0),))
  assert found.encode.input.name == "x"
  assert refuse(offer(keep, image(None)), match="several inputs may be the images")


def test_the_own_number_of_channels_is_better():
  grey, colour = image((None, 8, 6, 1)), image(NHWC)
  offers = offer(grey, name="encode"), offer(colour, name="other")
  assert choose(*offers).encode.signature == "other"
