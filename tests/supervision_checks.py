"""Codes and labels for the tests of supervised losses."""

import numpy as np
import pytest

from disentangle_tf.errors import UserError

_RNG = np.random.default_rng(0)
SIZES = (3, 1, 40)
LABELS = _RNG.integers(SIZES, size=(32, 3))
CODES = _RNG.normal(size=(32, 5)).astype(np.float32)
FIRST = CODES[:, :3].astype(np.float64)  # those that stand for a label
IN_UNIT = LABELS / [2, 1, 39]


def sigmoid(values):
  return 1 / (1 + np.exp(-values))


def check_mistakes(mistakes):
  """Each of {message: function} raises a `UserError` of one line."""
  for message, mistake in mistakes.items():
    with pytest.raises(UserError, match=message) as raised:
      mistake()
    assert "\n" not in str(raised.value)
