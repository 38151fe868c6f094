import numpy as np
import pytest
from made_up_offers import (
  ENCODE,
  FLAT,
  NCHW,
  NHWC,
  SHAPE,
  X,
  choose,
  function,
  image,
  offer,
  refuse,
  tensor,
  vector,
)

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.scan.verdict import Tensor


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


def test_by_name():
  interface = choose(
    ENCODE,
    function("decode", [vector("z")], tensor("images", NHWC)),
    function("reconstruct", X, tensor("images", NHWC)),
  )
  assert interface.decode.call.signature == "decode"
  assert interface.decode.call.outputs == ("images",)
  assert interface.reconstruct.call.signature == "reconstruct"
  assert "decode by decode; reconstruct by reconstruct" in interface.describe()
  assert not interface.remarks


def test_by_shape():
  interface = choose(
    ENCODE,
    function("prior", [vector("seed", 2)], vector("z")),
    function("px_given_z", [vector("z")], tensor("px", NHWC)),
  )
  assert interface.decode.call.signature == "px_given_z"
  assert interface.decode.call.input.name == "z"
  assert interface.reconstruct is None
  assert "decode by px_given_z" in interface.describe() and not interface.remarks


@pytest.mark.parametrize("shape", [NHWC, NCHW, FLAT, (None, None, None, 3)])
def test_a_decoder_has_a_layout_of_its_own(shape):
  flat = function("encode", [tensor("x", FLAT)], vector("z"))
  interface = choose(flat, function("p", [vector("z")], tensor("px", shape)))
  images = np.random.default_rng(0).random((2, *SHAPE), np.float32)
  moved = images.transpose(0, 3, 1, 2) if shape == NCHW else images
  found = interface.restore(moved.reshape(2, -1), interface.decode)
  np.testing.assert_array_equal(found, images)


@pytest.mark.parametrize(
  "other",
  [
    function("p", [vector("z")], tensor("px", (None, 9, 9, 3))),
    function("p", [vector("z", 4)], tensor("px", NHWC)),
    function("p", [vector("z"), vector("w")], tensor("px", NHWC)),
    function("p", [vector("z"), tensor("keep_prob", ())], tensor("px", NHWC)),
    function("p", [tensor("z", None)], tensor("px", NHWC)),
    function("p", [vector("z")], tensor("px", None)),
    function("p", [vector("z")], tensor("px", (None, None))),
    function("p", [vector("z")], tensor("px", NHWC, "string")),
    function("decode_parameters", [vector("z", 4)], tensor("px", NHWC)),
  ],
  ids=range(9),
)
def test_shapes_that_are_no_decoder(other):
  interface = choose(ENCODE, other)
  assert interface.decode is None and interface.reconstruct is None


def test_what_a_name_says_of_unknown_shapes():
  interface = choose(ENCODE, function("decode", [tensor("z", None)], tensor("y", None)))
  assert interface.decode.call.outputs == ("y",)


def test_several_that_would_do():
  offers = [
    function(name, [vector("z")], tensor("px", NHWC)) for name in ("p_a", "p_b")
  ]
  interface = choose(ENCODE, *offers)
  assert interface.decode.call.signature == "p_a"
  assert interface.remarks == (
    "p_a used as the decoder, not p_b: see the argument decoder",
  )
  named = function("decoder", [vector("z")], tensor("px", NHWC))
  assert choose(ENCODE, *offers, named).decode.call.signature == "decoder"
  assert choose(ENCODE, *offers, decoder="p_b").decode.call.signature == "p_b"


@pytest.mark.parametrize(
  ("decoder", "match"),
  [
    ("q", r"no signature 'q' to decode with \(argument decoder\)"),
    ("p=py", "gives no images called 'py'"),
    ("r", "'r' gives no images"),
    ("s", r"'s' does not take codes of 5 numbers .*output_key mean\+log_variance"),
  ],
)
def test_decoders_that_are_not_there(decoder, match):
  offers = [
    ENCODE,
    function("p", [vector("z")], tensor("px", NHWC)),
    function("r", [vector("z")], vector("w")),
    function("s", [vector("z", 4)], tensor("px", NHWC)),
  ]
  with pytest.raises(UserError, match=match):
    choose(*offers, decoder=decoder)


def test_a_decoder_with_other_inputs():
  keep, switch = tensor("keep_prob", ()), tensor("training", (), "bool")
  decode = function("decode", [vector("z"), keep, switch], tensor("px", NHWC))
  interface = choose(ENCODE, decode)
  assert interface.decode is None
  assert "decode not used" in interface.remarks[0]
  assert "inputs: keep_prob=VALUE" in interface.remarks[0]
  interface = choose(ENCODE, decode, inputs=(("keep_prob", 1.0),))
  assert interface.decode.call.constants == ((keep, 1.0), (switch, False))


def test_codes_as_images_of_one_pixel():
  for sizes in ((None, 5, 1, 1), (None, 1, 1, 5)):
    decode = function("p", [tensor("z", sizes)], tensor("px", NHWC))
    assert choose(ENCODE, decode).decode.call.input.shape == sizes


def test_parameters_of_points():
  x, z = vector("x", 2), vector("z", 2)
  encode = function("encode", [x], vector("mean", 2), vector("log_variance", 2))
  offers = encode, function("decode_parameters", [z], vector("parameters", 2))
  found = choose(*offers, shape=(2,))
  assert found.decode_parameters.call.outputs == ("parameters",)
  assert found.decode is None
