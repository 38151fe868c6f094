import dataclasses
import json

import numpy as np

from disentangle_tf.foreign.choose.call import Call
from disentangle_tf.foreign.look.offer import Tensor

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
