"""TensorFloat-32: whether an NVIDIA GPU rounds the factors of float32 products."""

import contextlib
from collections.abc import Iterator

import tensorflow as tf


@contextlib.contextmanager
def tensor_float_32(enabled: bool) -> Iterator[None]:
  """Switch TensorFloat-32 on or off inside a block or a decorated function.

  TensorFlow starts with TensorFloat-32 on: NVIDIA GPUs since Ampere then keep 10 of the
  23 bits of the factors of matrix products and convolutions. That is fast, and enough
  for training. The relative error of a blur or a code is then about 1e-4, which is too
  much for distances and scores.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf.tensor_float_32 import tensor_float_32
    >>> with tensor_float_32(False):
    ...   product = tf.ones([1, 2]) @ tf.ones([2, 1])
    >>> float(product[0, 0])
    2.0
  """
  switch = tf.config.experimental
  before = switch.tensor_float_32_execution_enabled()
  switch.enable_tensor_float_32_execution(enabled)
  try:
    yield
  finally:
    switch.enable_tensor_float_32_execution(before)
