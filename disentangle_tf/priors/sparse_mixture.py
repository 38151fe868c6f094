"""A sparse prior: a mixture under which most latents are near 0."""

import keras
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_positive, check_share
from disentangle_tf.priors.prior import Prior

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SparseMixture(Prior):
  """(1 - gamma) N(0, 1) + gamma N(0, off_scale^2) a latent.

  Args:
    gamma: the share of latents that are off, from 0 (the normal prior) to 1.
    off_scale: their standard deviation.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", section 6.3. Its text has 0.05 once as the variance and once as the
  standard deviation; the authors' code, and this, take the latter.
  """

  def __init__(self, gamma, *, off_scale=0.05):
    check_share("SparseMixture", gamma=gamma)
    check_positive("SparseMixture", off_scale=off_scale)
    self.gamma = gamma
    self.off_scale = off_scale

  @property
  def distribution(self):
    return tfd.MixtureSameFamily(
      tfd.Categorical(probs=[1.0 - self.gamma, float(self.gamma)]),
      tfd.Normal([0.0, 0.0], [1.0, float(self.off_scale)]),
    )
