import dataclasses
import json

import numpy as np
import pytest
from made_up_offers import (
  ENCODE,
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
from disentangle_tf.foreign.interface.call import Call
from disentangle_tf.foreign.scan.verdict import Tensor

IMAGES = Tensor("x", "uint8", (None, 8, 8, 1))
RATE = Tensor("rate", "float32", (None, 2))
SWITCH = Tensor("training", "bool", None)
CALL = Call("encode", IMAGES, ("y",), ((RATE, 0.5), (SWITCH, False)), ("mean",))


def test_what_a_function_is_fed():
  array = np.zeros((3, 8, 8, 1), np.float32)
  feeds = CALL.feeds(array)
  assert list(feeds) == ["x", "y", "rate", "training"]
  for name in ("x", "y"):
    assert feeds[name][0] is array and feeds[name][1] == "uint8"
  np.testing.assert_array_equal(feeds["rate"][0], np.full((3, 2), 0.5))
  assert feeds["training"][0].shape == () and not feeds["training"][0]


def test_a_call_survives_the_way_to_the_child():
  parts = json.loads(json.dumps(dataclasses.asdict(CALL)))
  assert Call.from_json(parts) == CALL


def test_a_switch_is_off():
  switch = Tensor("is_training", "bool", ())
  interface = choose(offer(switch, image()))
  assert interface.encode.constants == ((switch, False),)
  assert "; is_training is False" in interface.describe()
  assert interface.encode.input.name == "x"


def test_two_equal_inputs_get_the_same_images():
  interface = choose(offer(image(name="a"), image(name="b")))
  assert interface.encode.input.name == "a"
  assert interface.encode.copies == ("b",)


def test_inputs_that_are_no_images():
  others = Tensor("noise", "float32", (None, 5)), Tensor("keep_prob", "float32", ())
  assert refuse(
    offer(image(), *others),
    match="its input noise float32 .*, keep_prob float32 .*: give each a value in "
    "the argument inputs: noise=VALUE keep_prob=VALUE",
  )


@pytest.mark.parametrize(
  ("dtype", "shape", "given", "value", "fed"),
  [
    ("float32", (), 1.0, 1.0, np.float32(1)),
    ("float32", None, 0.5, 0.5, np.float32(0.5)),
    ("float64", (1,), True, 1.0, np.ones(1)),
    ("int64", (), 3.0, 3, np.int64(3)),
    ("bool", (), True, True, np.True_),
    ("bool", (None,), 1.0, True, np.ones(4, bool)),
    ("float32", (None, 2), 0.0, 0.0, np.zeros((4, 2), np.float32)),
    ("float32", (1, None), 0.0, 0.0, np.zeros((1, 1), np.float32)),
  ],
)
def test_inputs_with_a_value(dtype, shape, given, value, fed):
  other = Tensor("other", dtype, shape)
  call = choose(offer(image(), other), inputs=(("other", given),)).encode
  assert call.constants == ((other, value),)
  assert type(call.constants[0][1]) is type(value)
  array, as_type = call.feeds(np.zeros((4, *SHAPE), np.float32))["other"]
  np.testing.assert_array_equal(array, fed)
  assert np.shape(array) == np.shape(fed) and as_type == dtype
  again = Call.from_json(json.loads(json.dumps(dataclasses.asdict(call))))
  assert again == call


@pytest.mark.parametrize(
  ("dtype", "value"), [("int32", 0.5), ("bool", 2.0), ("string", 1.0)]
)
def test_values_of_another_type(dtype, value):
  other = Tensor("other", dtype, ())
  with pytest.raises(UserError, match="input other=.*takes no such value"):
    choose(offer(image(), other), inputs=(("other", value),))


def test_several_images_of_a_decoder():
  images = [tensor(name, NHWC) for name in ("a", "b")]
  both = function("p", [vector("z")], *images)
  interface = choose(ENCODE, both)
  assert interface.decode.call.outputs == ("a",)
  assert interface.remarks == (
    "a used as the images, not b: see decoder SIGNATURE=OUTPUT",
  )
  assert choose(ENCODE, both, decoder="p=b").decode.call.outputs == ("b",)
  spread = function("p", [vector("z")], tensor("scale", NHWC), tensor("loc", NHWC))
  interface = choose(ENCODE, spread)
  assert interface.decode.call.outputs == ("loc",) and not interface.remarks


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
