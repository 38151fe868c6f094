import numpy as np
import pytest
from made_up_offers import (
  DECODE,
  ENCODE,
  FLAT,
  NCHW,
  NHWC,
  SHAPE,
  X,
  choose,
  codes,
  function,
  image,
  offer,
  refuse,
  tensor,
  vector,
)

from disentangle_tf.errors import UserError

MEAN, LOG_VARIANCE = vector("mean"), vector("log_variance")


@pytest.mark.parametrize("shape", [NHWC, NCHW])
def test_an_image_beside_the_codes(shape):
  one = function("serve", X, tensor("y", shape), MEAN, LOG_VARIANCE)
  interface = choose(one)
  assert interface.encode.outputs == ("mean", "log_variance")
  assert interface.reconstruct.call.outputs == ("y",)
  assert interface.reconstruct.call.signature == "serve"
  assert interface.reconstruct.format.layout == ("NCHW" if shape == NCHW else "NHWC")
  decode = function("p", [vector("z")], tensor("px", NHWC))
  assert choose(one, decode).reconstruct is None  # it decodes the mean


def test_a_flat_image_beside_the_codes():
  one = function("f", [tensor("x", FLAT)], tensor("a", FLAT), *map(vector, "bc"))
  interface = choose(one, output_key=("b", "log_variance=c"))
  assert interface.reconstruct.call.outputs == ("a",)
  one = function("f", [tensor("x", FLAT)], tensor("a", FLAT), vector("b"))
  interface = choose(one)
  assert interface.encode.outputs == ("b",)
  assert interface.reconstruct.call.outputs == ("a",)


def test_several_images_beside_the_codes():
  one = function("f", X, tensor("a", NHWC), tensor("b", NHWC), MEAN)
  interface = choose(one)
  assert interface.reconstruct.call.outputs == ("a",)
  assert interface.remarks == (
    "a used as the images, not b: see output_key reconstruction=NAME",
  )
  interface = choose(one, output_key=("reconstruction=b",))
  assert interface.reconstruct.call.outputs == ("b",) and not interface.remarks
  assert interface.encode.outputs == ("mean",)
  with pytest.raises(UserError, match="no images called 'mean'"):
    choose(one, output_key=("reconstruction=mean",))


def test_a_reconstruction_by_shape():
  interface = choose(ENCODE, function("f", X, tensor("y", NHWC)))
  assert interface.reconstruct.call.signature == "f"
  assert interface.remarks == ("f used as the reconstruction",)
  assert choose(ENCODE, function("f", X, vector("y"))).reconstruct is None


def test_points_have_no_shape_that_tells():
  """Codes with as many numbers as a point are not read as points."""
  x = [vector("x", 2)]
  encode = function("encode", x, vector("z", 2), vector("logvar", 2), vector("w", 2))
  others = function("f", x, vector("y", 2)), function("g", x, vector("y", 2))
  interface = choose(encode, *others, shape=(2,), output_key=("z",))
  assert interface.decode is None and interface.reconstruct is None
  decode = function("decode", [vector("z", 2)], vector("y", 2))
  again = function("reconstruct", x, vector("y", 2))
  interface = choose(encode, decode, again, shape=(2,), output_key=("z",))
  assert interface.decode and interface.reconstruct


def test_forced():
  offers = (
    offer(name="encode"),
    offer(image(name="y"), name="b", outputs=codes("p", "q")),
  )
  interface = choose(
    *offers,
    signature="b",
    input_key="y",
    output_key=("q", "log_variance=p"),
    input_range=(-1.0, 1.0),
  )
  assert interface.encode.signature == "b"
  assert interface.encode.outputs == ("q", "p")
  assert interface.spread == "log_variance"
  assert interface.input_range == (-1.0, 1.0)


@pytest.mark.parametrize(
  ("forced", "match"),
  [
    ({"signature": "c"}, "no signature 'c'"),
    ({"input_key": "y"}, r"no input 'y' \(argument input_key\)"),
    ({"output_key": ("nothing",)}, r"no vector 'nothing' \(argument output_key\)"),
    ({"output_key": ("mean=mean", "scale=nothing")}, "no vector 'nothing'"),
    ({"output_key": ("size=mean",)}, "'size' is none of mean, log_variance"),
    ({"output_key": ("scale=mean",)}, "names no mean"),
    ({"resize": (9, 9)}, r"no images of shape \(9, 9, 3\)"),
  ],
)
def test_forced_what_is_not_there(forced, match):
  refuse(offer(), match=match, **forced)


def test_a_value_for_an_input_that_is_not_there():
  assert refuse(offer(), inputs=(("x2", 1.0),), match=r"'x2' \(argument inputs\)")


def test_names_cannot_change_the_terminal():
  rude = "\x1b[2J\n"
  outputs = codes(f"{rude}a", f"{rude}b")
  inputs = image(name=f"{rude}x", dtype="float32")
  one = offer(inputs, name=f"{rude}encode", outputs=outputs)
  for forced in ({}, {"output_key": ("no",)}, {"input_key": "no"}, {"layout": "NCHW"}):
    with pytest.raises(UserError) as caught:
      choose(one, **forced)
    assert str(caught.value).replace("\n  ", "").isprintable()
  assert choose(one, output_key=(f"{rude}a",)).describe().isprintable()


@pytest.mark.parametrize("flag", ["input_range", "decoder_output"])
def test_standardised(flag):
  mean, std = (0.1, 0.2, 0.3), (0.5, 0.25, 0.125)
  images = np.random.default_rng(0).random((2, *SHAPE), np.float32)
  standard = (images - np.float32(mean)) / np.float32(std)
  interface = choose(
    ENCODE, DECODE, standardisation=(mean, std), **{flag: "standardised"}
  )
  prepared = interface.prepare(images)
  expected = standard if flag == "input_range" else images
  np.testing.assert_allclose(prepared, expected, atol=1e-5)
  found = interface.restore(standard, interface.decode)
  np.testing.assert_allclose(found, images, atol=1e-6)
  assert not interface.is_bernoulli
  assert ("pixels standardised" in interface.describe()) == (flag == "input_range")


def test_a_doubt_if_the_decoder_takes_half():
  one = function("encode", X, vector("h", 10))
  decode = function("p", [vector("z", 5)], tensor("px", NHWC))
  interface = choose(one, decode)
  assert interface.encode.outputs == ("h",) and interface.decode is None
  (doubt,) = interface.doubts
  assert "twice as wide as the codes that p takes" in doubt
  assert "output_key mean+log_variance=h" in doubt


def test_parameters_are_those_of_images_as_they_are():
  offers = ENCODE, DECODE, function("decode_parameters", [vector("z")], X[0])
  assert choose(*offers).decode_parameters.call.outputs == ("x",)
  assert choose(*offers).decode.call.signature == "decode"
  for changed in (
    {"input_range": (-1.0, 1.0)},
    {"resize": (8, 6)},
    {"decoder_output": "logits"},
    {"shape": (8, 6, 1)},
  ):
    assert choose(*offers, **changed).decode_parameters is None
