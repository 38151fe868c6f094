"""Functions of TensorFlow that are not public; no other module uses its private names.

`tf.config.experimental.enable_op_determinism` is public, but its inverse is not. The
names are those of TensorFlow 2.18 to 2.21; the tests of this module define what they
must do.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tensorflow.python.framework import config, ops


def op_determinism_enabled() -> bool:
  """Whether TensorFlow's operations repeat bit for bit in this process."""
  return config.is_op_determinism_enabled()


def disable_op_determinism() -> None:
  """Undo `tf.config.experimental.enable_op_determinism`."""
  config.disable_op_determinism()


@contextlib.contextmanager
def custom_gradients_forgotten() -> Iterator[None]:
  """Free the graphs of functions that are traced inside the block and used only there.

  TensorFlow registers the gradient of each call of a `tf.custom_gradient` in a graph,
  for good. The gradient refers to tensors of the graph, so the graph, its function and
  the weights remain, too. Keras' optimisers make such a call in every training step.
  """
  gradients = ops.gradient_registry._registry
  before = set(gradients)
  try:
    yield
  finally:
    for name in set(gradients) - before:
      if name.startswith("CustomGradient-"):
        del gradients[name]
