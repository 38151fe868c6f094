"""TensorFloat-32: whether an NVIDIA GPU rounds the factors of float32 products."""

import contextlib
from collections.abc import Iterator

import tensorflow as tf


@contextlib.contextmanager
def tensor_float_32(enabled: bool) -> Iterator[None]:
  """Sets TensorFlow's switch inside the block, or inside a function that it decorates.

  With it, as TensorFlow starts, an Ampere GPU or a newer one keeps 10 of the 23 bits of
  the factors of matrix products and convolutions: fast, and enough for training. A blur
  or a code is then off by 1e-4 of its size, which is too much for distances and scores.

  Example:
    with tensor_float_32(False):
      distances = loss.mean_distance(images, others)
  """
  switch = tf.config.experimental
  before = switch.tensor_float_32_execution_enabled()
  switch.enable_tensor_float_32_execution(enabled)
  try:
    yield
  finally:
    switch.enable_tensor_float_32_execution(before)
