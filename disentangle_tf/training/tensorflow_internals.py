"""Functions of TensorFlow that are not public; no other module uses its private names.

`tf.config.experimental.enable_op_determinism` is public, but its inverse is not. The
names are those of TensorFlow 2.18 to 2.21; the tests of this module define what they
must do.
"""

from __future__ import annotations

from tensorflow.python.framework import config


def op_determinism_enabled() -> bool:
  """Whether TensorFlow's operations repeat bit for bit in this process."""
  return config.is_op_determinism_enabled()


def disable_op_determinism() -> None:
  """Undo `tf.config.experimental.enable_op_determinism`."""
  config.disable_op_determinism()
