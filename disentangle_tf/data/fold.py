"""Folding pixels back into [0, 1].

Zietlow et al. 2021, appendix B.1. The formula there is misprinted.
"""

import tensorflow as tf


def fold(pixels: tf.Tensor) -> tf.Tensor:
  """Reflect values in [-1, 2] at 0 and at 1: 1 - |1 - |y||.

  Folding never increases a change: |fold(x + d) - x| <= |d| for x in [0, 1]. It uses
  additions and absolute values only, so XLA gives the same bits.
  """
  return 1.0 - tf.abs(1.0 - tf.abs(pixels))
