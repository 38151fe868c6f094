"""Randomness as a function: every draw follows from where and when it is made.

A seed is derived from (run seed, stream name, step, replica) and nothing else, so a
resumed run needs only the step, and any batch can be made again.
"""

import zlib

import tensorflow as tf


def stream_seed(run_seed, stream, step=0, replica=0):
  """Seed for the stateless random ops: int32 tensor of shape [2].

  Args:
    run_seed: the run's own integer.
    stream: name of what is drawn, e.g. "factors" or "latents".
    step, replica: integers or integer tensors.
  """
  seed = tf.constant([run_seed & 0x7FFFFFFF, zlib.crc32(stream.encode()) >> 1])
  seed = tf.random.experimental.stateless_fold_in(seed, tf.cast(step, tf.int32))
  return tf.random.experimental.stateless_fold_in(seed, tf.cast(replica, tf.int32))
