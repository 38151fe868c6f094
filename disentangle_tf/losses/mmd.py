"""Maximum mean discrepancy."""

import keras
import tensorflow as tf

from disentangle_tf.losses.code_divergence import CodeDivergence


@keras.saving.register_keras_serializable(package="disentangle_tf")
class MMD(CodeDivergence):
  """Squared maximum mean discrepancy of codes and prior, unbiased; 0 if they agree.

  The kernel is the sum of inverse multiquadratics C / (C + |z - z'|^2), C = 2 s, over
  the `scales` s.

  Reference: Tolstikhin et al., 2018, "Wasserstein Auto-Encoders"; scales as in
  Mathieu et al., 2019.
  """

  def __init__(self, *, scales=(0.1, 0.2, 0.5, 1.0, 2.0, 5.0)):
    self.scales = tuple(scales)

  def __call__(self, posterior, codes, prior, drawn):
    del posterior, prior
    size = tf.cast(tf.shape(codes)[0], codes.dtype)
    within = self._kernel(codes, codes) + self._kernel(drawn, drawn)
    # Without the diagonal, where a code meets itself, the estimate is unbiased.
    within = tf.linalg.set_diag(within, tf.zeros_like(codes[:, 0]))
    between = self._kernel(codes, drawn)
    return tf.reduce_sum(within) / (size * (size - 1)) - 2.0 * tf.reduce_mean(between)

  def _kernel(self, first, second):
    squared = tf.reduce_sum((first[:, None] - second[None]) ** 2, axis=2)
    return tf.add_n([2 * s / (2 * s + squared) for s in self.scales])
