"""Which devices train, and the number format."""

import contextlib

import keras
import tensorflow as tf

from disentangle_tf.training.tensorflow_internals import (
  disable_op_determinism,
  op_determinism_enabled,
)


def allow_memory_growth():
  """Takes GPU memory as it is needed; call before anything touches a GPU."""
  for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def default_strategy():
  """All GPUs of this machine, its only one, or the CPU."""
  gpus = tf.config.list_logical_devices("GPU")
  if len(gpus) > 1:
    return tf.distribute.MirroredStrategy()
  if gpus:  # a named device also makes the host pipeline prefetch to it
    return tf.distribute.OneDeviceStrategy(gpus[0].name)
  return tf.distribute.get_strategy()


def on_gpu():
  """Whether there is a GPU to run on."""
  return bool(tf.config.list_logical_devices("GPU"))


@contextlib.contextmanager
def number_format(precision, *, deterministic):
  """Keras' dtype policy and determinism, inside the block alone."""
  before = keras.config.dtype_policy()
  keras.config.set_dtype_policy(precision)
  switched = deterministic and not op_determinism_enabled()
  if switched:
    tf.config.experimental.enable_op_determinism()
  try:
    yield
  finally:
    keras.config.set_dtype_policy(before)
    if switched:
      disable_op_determinism()
