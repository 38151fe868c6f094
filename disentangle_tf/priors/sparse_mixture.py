"""A sparse prior: a mixture in which a share of the latents is close to 0."""

import keras
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_positive, check_share
from disentangle_tf.priors.prior import Prior
from disentangle_tf.tensor_types import Distribution

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class SparseMixture(Prior):
  """Sparse prior (1 - gamma) N(0, 1) + gamma N(0, off_scale^2) for each latent.

  Args:
    gamma: share of latents that are off, from 0 (the standard normal prior) to 1.
    off_scale: standard deviation of a latent that is off, above 0.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", section 6.3. The paper gives 0.05 once as the variance and once as the
  standard deviation; the authors' code and this class use the latter.

  Example:
    >>> from disentangle_tf import priors
    >>> prior = priors.SparseMixture(0.8)
    >>> round(float(prior.distribution.variance()), 3)
    0.202
  """

  def __init__(self, gamma: float, *, off_scale: float = 0.05) -> None:
    check_share("SparseMixture", gamma=gamma)
    check_positive("SparseMixture", off_scale=off_scale)
    self.gamma = gamma
    self.off_scale = off_scale

  @property
  def distribution(self) -> Distribution:
    return tfd.MixtureSameFamily(
      tfd.Categorical(probs=[1.0 - self.gamma, float(self.gamma)]),
      tfd.Normal([0.0, 0.0], [1.0, float(self.off_scale)]),
    )
