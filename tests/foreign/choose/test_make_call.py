import dataclasses
import json

import numpy as np
import pytest
from made_up_offers import (
  SHAPE,
  choose,
  image,
  offer,
  refuse,
)

from disentangle_tf.errors import UserError
from disentangle_tf.foreign.choose.call import Call
from disentangle_tf.foreign.look.offer import Tensor


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
