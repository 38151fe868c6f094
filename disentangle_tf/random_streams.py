"""Random seeds as a function of (run seed, stream, step, replica).

A seed depends on these only. So a resumed run needs only the step, and any batch can be
made again. Every draw starts from whole 32-bit words, which are the same with and
without XLA. TensorFlow's own stateless floats and normals differ, and so do its words
for negative seeds.
"""

import zlib
from collections.abc import Sequence

import numpy as np
import tensorflow as tf

from disentangle_tf.tensor_types import Tensor

Shape = Sequence[int] | Sequence[int | tf.Tensor] | tf.TensorShape | tf.Tensor
_POSITIVE = 0x7FFFFFFF


def stream_seed(
  run_seed: int, stream: str, step: int | tf.Tensor = 0, replica: int | tf.Tensor = 0
) -> tf.Tensor:
  """Derive the seed of a draw: int32 tensor of shape [2], never negative.

  Args:
    run_seed: the seed of the run.
    stream: name of what is drawn, e.g. "factors" or "latents".
    step: training step, an integer or an integer tensor.
    replica: number of the replica, an integer or an integer tensor.
  """
  seed = tf.constant([run_seed & _POSITIVE, _number(stream)])
  return _fold_in(_fold_in(seed, step), replica)


def split_seed(seed: Tensor, stream: str) -> tf.Tensor:
  """Derive the seed of the draw named `stream` from the int32 [2] `seed`."""
  return _fold_in(seed, _number(stream))


def random_words(shape: Shape, seed: Tensor) -> tf.Tensor:
  """Draw uniform uint32 words of this shape."""
  return tf.random.stateless_uniform(
    shape,  # pyright: ignore[reportArgumentType]
    seed,  # pyright: ignore[reportArgumentType]
    minval=None,  # pyright: ignore[reportArgumentType]
    maxval=None,
    dtype=tf.uint32,
    alg="philox",
  )


def random_integers(
  shape: Shape, seed: Tensor, below: int | Sequence[int] | np.ndarray | tf.Tensor
) -> tf.Tensor:
  """Draw uniform int32 from 0 to `below` - 1; `below` broadcasts to `shape`."""
  words = tf.cast(random_words(shape, seed), tf.int64)
  return tf.cast(tf.math.floormod(words, tf.cast(below, tf.int64)), tf.int32)


def random_uniform(shape: Shape, seed: Tensor) -> tf.Tensor:
  """Draw uniform float32 strictly between 0 and 1: centres of 2^23 equal intervals."""
  intervals = tf.bitwise.right_shift(
    random_words(shape, seed), tf.constant(9, tf.uint32)
  )
  return (tf.cast(intervals, tf.float32) + 0.5) / 2**23


def random_order(shape: Shape, seed: Tensor) -> tf.Tensor:
  """Draw a random permutation along the last axis, for each of the other axes."""
  return tf.argsort(tf.cast(random_words(shape, seed), tf.int64), axis=-1)


def _number(stream: str) -> int:
  return zlib.crc32(stream.encode()) & _POSITIVE


def _fold_in(seed: Tensor, data: int | tf.Tensor) -> tf.Tensor:
  folded = tf.random.experimental.stateless_fold_in(  # pyright: ignore[reportAttributeAccessIssue]
    seed, tf.cast(data, tf.int32), alg="philox"
  )
  return tf.bitwise.bitwise_and(folded, _POSITIVE)
