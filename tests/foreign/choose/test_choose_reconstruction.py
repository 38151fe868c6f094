import pytest
from made_up_offers import ENCODE, FLAT, NCHW, NHWC, X, choose, function, tensor, vector

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
