"""Folding pixels back into [0, 1].

Zietlow et al. 2021, appendix B.1, whose formula is misprinted; on [-1, 2] it is this.
"""

import tensorflow as tf


def fold(pixels: tf.Tensor) -> tf.Tensor:
  """Reflects values in [-1, 2] at 0 and at 1: 1 - |1 - |y||.

  No value moves further from one in [0, 1] than it was: |fold(x + d) - x| <= |d|. Only
  additions and absolute values, so that XLA gives the same bits.
  """
  return 1.0 - tf.abs(1.0 - tf.abs(pixels))
