"""Where images come from: decoders and reconstructions, by name, shape and flag."""

import numpy as np
import pytest
from scipy import special

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.choose_interface import choose_interface
from disentangle_tf.foreign.choose.reading import Reading
from disentangle_tf.foreign.look.offer import Offer, Tensor

SHAPE = (8, 6, 3)
NHWC, NCHW, FLAT = (None, 8, 6, 3), (None, 3, 8, 6), (None, 144)


def tensor(name, shape, dtype="float32"):
  return Tensor(name, dtype, shape)


def vector(name, width=5):
  return tensor(name, (None, width))


def function(name, inputs, *outputs):
  return Offer(name, tuple(inputs), outputs)


X = [tensor("x", NHWC)]
ENCODE = function("encode", X, vector("mean"), vector("log_variance"))


def choose(*offers, shape=SHAPE, standardisation=None, **forced):
  return choose_interface(
    offers,
    shape,
    Reading(**forced),
    channels_first=False,
    standardisation=standardisation,
  )


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
  assert interface.remarks == ("p_a taken for the decoder, not p_b: see --decoder",)
  named = function("decoder", [vector("z")], tensor("px", NHWC))
  assert choose(ENCODE, *offers, named).decode.call.signature == "decoder"
  assert choose(ENCODE, *offers, decoder="p_b").decode.call.signature == "p_b"


def test_several_images_of_a_decoder():
  images = [tensor(name, NHWC) for name in ("a", "b")]
  both = function("p", [vector("z")], *images)
  interface = choose(ENCODE, both)
  assert interface.decode.call.outputs == ("a",)
  assert interface.remarks == (
    "a taken for the images, not b: see --decoder SIGNATURE=OUTPUT",
  )
  assert choose(ENCODE, both, decoder="p=b").decode.call.outputs == ("b",)
  spread = function("p", [vector("z")], tensor("scale", NHWC), tensor("loc", NHWC))
  interface = choose(ENCODE, spread)
  assert interface.decode.call.outputs == ("loc",) and not interface.remarks


@pytest.mark.parametrize(
  ("decoder", "match"),
  [
    ("q", r"no signature 'q' to decode with \(--decoder\)"),
    ("p=py", "gives no images called 'py'"),
    ("r", "'r' gives no images"),
    ("s", r"'s' does not take codes of 5 numbers .*--output_key mean\+log_variance"),
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
  assert "--input keep_prob=VALUE" in interface.remarks[0]
  interface = choose(ENCODE, decode, inputs=(("keep_prob", 1.0),))
  assert interface.decode.call.constants == ((keep, 1.0), (switch, False))


def test_codes_as_images_of_one_pixel():
  for sizes in ((None, 5, 1, 1), (None, 1, 1, 5)):
    decode = function("p", [tensor("z", sizes)], tensor("px", NHWC))
    assert choose(ENCODE, decode).decode.call.input.shape == sizes


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
    "a taken for the images, not b: see --output_key reconstruction=NAME",
  )
  interface = choose(one, output_key=("reconstruction=b",))
  assert interface.reconstruct.call.outputs == ("b",) and not interface.remarks
  assert interface.encode.outputs == ("mean",)
  with pytest.raises(UserError, match="no images called 'mean'"):
    choose(one, output_key=("reconstruction=mean",))


def test_images_of_unknown_shape_are_told_by_their_names():
  outputs = [tensor(name, None) for name in ("reconstruction", "mu", "logvar")]
  interface = choose(function("keras", X, *outputs))
  assert interface.encode.outputs == ("mu", "logvar")
  assert interface.reconstruct.call.outputs == ("reconstruction",)
  outputs = [tensor(name, None) for name in ("decoded", "z")]
  assert choose(function("keras", X, *outputs)).encode.outputs == ("z",)
  outputs = [tensor(f"output_{i}", None) for i in range(3)]
  key = ("output_1", "log_variance=output_2", "reconstruction=output_0")
  interface = choose(function("keras", X, *outputs), output_key=key)
  assert interface.encode.outputs == ("output_1", "output_2")
  assert interface.reconstruct.call.outputs == ("output_0",)


def test_a_reconstruction_by_shape():
  interface = choose(ENCODE, function("f", X, tensor("y", NHWC)))
  assert interface.reconstruct.call.signature == "f"
  assert interface.remarks == ("f taken for the reconstruction",)
  assert choose(ENCODE, function("f", X, vector("y"))).reconstruct is None


def test_points_have_no_shape_that_tells():
  """Codes of as many numbers as a point has are not taken for points."""
  x = [vector("x", 2)]
  encode = function("encode", x, vector("z", 2), vector("logvar", 2), vector("w", 2))
  others = function("f", x, vector("y", 2)), function("g", x, vector("y", 2))
  interface = choose(encode, *others, shape=(2,), output_key=("z",))
  assert interface.decode is None and interface.reconstruct is None
  decode = function("decode", [vector("z", 2)], vector("y", 2))
  again = function("reconstruct", x, vector("y", 2))
  interface = choose(encode, decode, again, shape=(2,), output_key=("z",))
  assert interface.decode and interface.reconstruct


@pytest.mark.parametrize("role", ["log_variance", "variance", "scale", "log_scale"])
def test_both_halves_of_one_output(role):
  one = function("encode", X, vector("h", 10))
  decode = function("decode", [vector("z", 5)], tensor("px", NHWC))
  interface = choose(one, decode, output_key=(f"mean+{role}=h",))
  assert interface.encode.outputs == ("h",) and interface.spread == role
  assert interface.decode is not None
  assert f"mean and {role} from the halves of h" in interface.describe()
  assert not interface.doubts


def test_a_doubt_if_the_decoder_takes_half():
  one = function("encode", X, vector("h", 10))
  decode = function("p", [vector("z", 5)], tensor("px", NHWC))
  interface = choose(one, decode)
  assert interface.encode.outputs == ("h",) and interface.decode is None
  (doubt,) = interface.doubts
  assert "twice as wide as the codes that p takes" in doubt
  assert "--output_key mean+log_variance=h" in doubt


@pytest.mark.parametrize("name", ["mu_logvar", "mean_and_std", "posterior_params"])
def test_a_doubt_if_the_name_says_both(name):
  (doubt,) = choose(function("encode", X, vector(name, 10))).doubts
  assert f"--output_key mean+log_variance={name}" in doubt
  assert not choose(function("encode", X, vector(name, 5))).doubts
  for plain in ("z_mean", "posterior_mean", "gaussian_mu", "state", "codes"):
    assert not choose(function("encode", X, vector(plain, 10))).doubts


OUTPUTS = np.random.default_rng(0).normal(size=(2, 144)).astype(np.float32)
DECODE = function("decode", [vector("z")], tensor("px", NHWC))


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


def test_a_likelihood_is_of_the_images_themselves():
  options = {"decoder_output": "logits"}
  assert choose(ENCODE, DECODE, **options).is_bernoulli
  assert not choose(ENCODE, **options).is_bernoulli  # nothing decodes
  assert not choose(ENCODE, DECODE).is_bernoulli
  assert not choose(ENCODE, DECODE, shape=(8, 6, 1), **options).is_bernoulli
  resized = choose(ENCODE, DECODE, shape=(9, 9, 3), resize=(8, 6), **options)
  assert not resized.is_bernoulli


def test_parameters_of_points():
  x, z = vector("x", 2), vector("z", 2)
  encode = function("encode", [x], vector("mean", 2), vector("log_variance", 2))
  offers = encode, function("decode_parameters", [z], vector("parameters", 2))
  found = choose(*offers, shape=(2,))
  assert found.decode_parameters.call.outputs == ("parameters",)
  assert found.decode is None


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
