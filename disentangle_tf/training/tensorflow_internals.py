"""What TensorFlow does not offer in public: the only module that uses private names.

`tf.config.experimental.enable_op_determinism` is public, the way back is not. The names
are those of TensorFlow 2.18 to 2.21; the tests of this module say what they must do.
"""

from tensorflow.python.framework import config


def op_determinism_enabled():
  """Whether TensorFlow's operations repeat bit for bit in this process."""
  return config.is_op_determinism_enabled()


def disable_op_determinism():
  """Takes `tf.config.experimental.enable_op_determinism` back."""
  config.disable_op_determinism()
