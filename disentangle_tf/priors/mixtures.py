"""Mixture priors: clusters and the sparse prior."""

from collections.abc import Sequence

import keras
import numpy as np
import tensorflow_probability as tfp

from disentangle_tf.arguments import check_positive, check_share
from disentangle_tf.errors import UserError
from disentangle_tf.priors.prior import Prior
from disentangle_tf.tensor_types import Distribution

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class NormalMixture(Prior):
  """Mixture of equally weighted isotropic normal distributions, one per cluster.

  Args:
    means: [clusters, latents], the centres.
    variance: of every latent within a cluster, above 0.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", equation 9, where four means are the corners of the unit square and the
  variance is 0.03.

  Example:
    >>> from disentangle_tf import priors
    >>> corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> prior = priors.NormalMixture(corners, variance=0.03)
    >>> prior.distribution.mean().numpy().tolist()
    [0.5, 0.5]
  """

  def __init__(
    self, means: Sequence[Sequence[float]] | np.ndarray, *, variance: float
  ) -> None:
    if np.ndim(means) != 2:
      raise UserError("NormalMixture.means must be a list of points, one per cluster")
    check_positive("NormalMixture", variance=variance)
    self.means = [[float(value) for value in mean] for mean in means]
    self.variance = variance

  @property
  def distribution(self) -> Distribution:
    means = np.array(self.means, np.float32)
    scales = np.full_like(means, np.sqrt(self.variance))
    weights = np.full(len(means), 1 / len(means), np.float32)
    return tfd.MixtureSameFamily(
      tfd.Categorical(probs=weights), tfd.MultivariateNormalDiag(means, scales)
    )


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
