"""What TensorFlow's private names must do; if one fails, see the module."""

import tensorflow as tf

from disentangle_tf.training.tensorflow_internals import (
  disable_op_determinism,
  op_determinism_enabled,
)


def test_determinism_is_told_and_taken_back():
  assert not op_determinism_enabled()
  tf.config.experimental.enable_op_determinism()
  try:
    assert op_determinism_enabled()
  finally:
    disable_op_determinism()
  assert not op_determinism_enabled()
