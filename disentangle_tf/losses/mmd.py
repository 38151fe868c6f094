"""Maximum mean discrepancy (MMD) between codes and the prior."""

import keras
import tensorflow as tf

from disentangle_tf.argument_checks import check_list, check_positive, check_truth
from disentangle_tf.losses.code_divergence import CodeDivergence


@keras.saving.register_keras_serializable(package="disentangle_tf")
class MMD(CodeDivergence):
  """Squared maximum mean discrepancy of codes and prior, unbiased; 0 if they agree.

  The kernel is the sum of inverse multiquadratics C / (C + |z - z'|^2), C = 2 s, over
  the `scales` s.

  Args:
    scales: as in the code of Mathieu et al.
    per_latent: add up the discrepancies of single latents, as that code does; by
      default it is that of whole codes, as in the papers, which also sees how latents
      depend on each other. With many latents the sum is much the larger of the two.

  Reference: Tolstikhin et al., 2018, "Wasserstein Auto-Encoders"; Mathieu et al., 2019,
  "Disentangling Disentanglement in Variational Autoencoders", appendix B.
  """

  def __init__(self, *, scales=(0.1, 0.2, 0.5, 1.0, 2.0, 5.0), per_latent=False):
    check_list("MMD", check_positive, scales=scales)
    check_truth("MMD", per_latent=per_latent)
    self.scales = tuple(scales)
    self.per_latent = per_latent

  def __call__(self, posterior, codes, prior, drawn):
    del posterior, prior
    count = tf.shape(codes)[0]
    size = tf.cast(count, codes.dtype)
    within = self._kernel(codes, codes) + self._kernel(drawn, drawn)
    # Without the diagonal, where a code meets itself, the estimate is unbiased. Not
    # through set_diag: XLA cannot compile its gradient for batches of unknown size.
    within *= 1.0 - tf.eye(count, dtype=codes.dtype)
    between = self._kernel(codes, drawn)
    within = tf.reduce_sum(within) / (size * (size - 1))
    return within - 2.0 * tf.reduce_sum(between) / size**2

  def _kernel(self, first, second):
    """Of every two codes, [batch, batch]; per latent [latents, batch, batch]."""
    squared = tf.transpose((first[:, None] - second[None]) ** 2, [2, 0, 1])
    if not self.per_latent:
      squared = tf.reduce_sum(squared, axis=0)
    return tf.add_n([2 * s / (2 * s + squared) for s in self.scales])
