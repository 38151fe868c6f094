"""The device that trains, and its number format."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence

import keras
import tensorflow as tf

from disentangle_tf.training.tensorflow_internals import (
  disable_op_determinism,
  op_determinism_enabled,
)

_log = logging.getLogger(__name__)


def allow_memory_growth() -> None:
  """Let TensorFlow take GPU memory as needed; call this before a GPU is used."""
  for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def default_strategy(
  gpus: Sequence[tf.config.LogicalDevice] | None = None,
) -> tf.distribute.Strategy:
  """The strategy of the first GPU or, without any, of the CPU.

  Args:
    gpus: logical devices; by default those of this machine.
  """
  gpus = tf.config.list_logical_devices("GPU") if gpus is None else gpus
  if gpus:  # a named device also makes the host pipeline prefetch to it
    return tf.distribute.OneDeviceStrategy(gpus[0].name)
  return tf.distribute.get_strategy()


def report_idle_gpus(gpus: Sequence[tf.config.LogicalDevice] | None = None) -> None:
  """Log how to use all GPUs, if there are several and one trains.

  Args:
    gpus: as for `default_strategy`.
  """
  gpus = tf.config.list_logical_devices("GPU") if gpus is None else gpus
  if len(gpus) > 1:
    _log.info(
      "training on one of %d GPUs, the others are idle; to use all, set "
      "training.Computing.strategy to tf.distribute.MirroredStrategy()",
      len(gpus),
    )


def on_gpu() -> bool:
  """Whether there is a GPU to run on."""
  return bool(tf.config.list_logical_devices("GPU"))


@contextlib.contextmanager
def number_format(precision: str, *, deterministic: bool) -> Iterator[None]:
  """Set Keras' dtype policy and determinism inside the block.

  Args:
    precision: the dtype policy.
    deterministic: whether operations repeat bit for bit.
  """
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
