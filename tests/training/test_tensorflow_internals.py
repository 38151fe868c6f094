"""What TensorFlow's private names must do; if one fails, see the module."""

import gc
import weakref

import tensorflow as tf

from disentangle_tf.training.tensorflow_internals import (
  custom_gradients_forgotten,
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


class Held:
  """Something that a gradient refers to."""


def _trace():
  """A weak reference to what the gradient of a traced function refers to."""
  held = Held()

  @tf.custom_gradient
  def double(values):
    return 2 * values, lambda upstream: 2 * upstream if held else None

  tape_is_used = tf.function(lambda values: tf.gradients(double(values), values))
  assert tape_is_used(tf.constant(1.0))[0].numpy() == 2
  return weakref.ref(held)


def test_custom_gradients_and_their_graphs_are_freed():
  kept = _trace()
  with custom_gradients_forgotten():
    freed = _trace()
  gc.collect()
  assert freed() is None
  assert kept() is not None  # once this fails, TensorFlow frees them itself
