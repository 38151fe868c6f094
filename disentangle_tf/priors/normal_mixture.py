"""A mixture of normals as prior: clusters."""

import keras
import numpy as np
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_positive
from disentangle_tf.errors import UserError
from disentangle_tf.priors.prior import Prior

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class NormalMixture(Prior):
  """Equally weighted round normals, one per cluster.

  Args:
    means: [clusters, latents].
    variance: of every latent within a cluster.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", equation 9, where four means are the corners of the unit square and the
  variance is 0.03.
  """

  def __init__(self, means, *, variance):
    if np.ndim(means) != 2:
      raise UserError("NormalMixture.means must be a list of points, one per cluster")
    check_positive("NormalMixture", variance=variance)
    self.means = [[float(value) for value in mean] for mean in means]
    self.variance = variance

  @property
  def distribution(self):
    means = np.array(self.means, np.float32)
    scales = np.full_like(means, np.sqrt(self.variance))
    weights = np.full(len(means), 1 / len(means), np.float32)
    return tfd.MixtureSameFamily(
      tfd.Categorical(probs=weights), tfd.MultivariateNormalDiag(means, scales)
    )
