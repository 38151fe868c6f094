"""Script that computes in half precision, which may kill it; see `half_precision`.

  python -P disentangle_tf/half_precision_probe.py mixed_bfloat16

runs a dense layer, a convolution and a transposed convolution, forwards and backwards,
eagerly, in a graph, and compiled by XLA. The exit code is 0 if all of them work.
"""

import os
import resource
import sys

import tensorflow as tf


def main(precision: str) -> None:
  """Run the steps; `precision` is a Keras dtype policy."""
  resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it may die: leave no core file
  os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

  dtype = tf.as_dtype(precision.removeprefix("mixed_"))
  images, matrix = tf.ones([8, 8, 8, 4]), tf.ones([8 * 8 * 4, 32])
  weights = tf.ones([4, 4, 4, 16])

  def gradients() -> list:
    with tf.GradientTape() as tape:
      watched = [images, matrix, weights]
      tape.watch(watched)
      inputs, dense, kernel = (tf.cast(value, dtype) for value in watched)
      codes = tf.matmul(tf.reshape(inputs, [8, -1]), dense)
      codes = tf.nn.relu(tf.nn.bias_add(codes, tf.ones([32], dtype)))
      maps = tf.nn.conv2d(inputs, kernel, 2, "SAME")
      maps = tf.nn.relu(tf.nn.bias_add(maps, tf.ones([16], dtype)))
      again = tf.nn.conv2d_transpose(maps, kernel, tf.constant([8, 8, 8, 4]), 2, "SAME")
      loss = tf.reduce_sum(tf.cast(codes, tf.float32))
      loss += tf.reduce_sum(tf.cast(again, tf.float32))
    return tape.gradient(loss, watched)

  for compiled in (False, True):
    for gradient in tf.function(gradients, jit_compile=compiled)():
      gradient.numpy()
  gradients()


if __name__ == "__main__":
  main(sys.argv[1])
