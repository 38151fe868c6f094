"""Which device trains, and the number format."""

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


def default_strategy(gpus=None):
  """The first GPU or, without any, the CPU.

  Args:
    gpus: logical devices; those of this machine by default.
  """
  gpus = tf.config.list_logical_devices("GPU") if gpus is None else gpus
  if gpus:  # a named device also makes the host pipeline prefetch to it
    return tf.distribute.OneDeviceStrategy(gpus[0].name)
  return tf.distribute.get_strategy()


def print_idle_gpus(gpus=None):
  """If there are several GPUs, prints that one trains, and which binding uses all.

  Args:
    gpus: as of `default_strategy`.
  """
  gpus = tf.config.list_logical_devices("GPU") if gpus is None else gpus
  if len(gpus) > 1:
    print(
      f"training on one of {len(gpus)} GPUs, the others are idle; to use all, set "
      "training.Computing.strategy=@tf.distribute.MirroredStrategy()"
    )


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
