"""The standard normal prior."""

import keras
import tensorflow_probability as tfp

from disentangle_tf.priors.prior import Prior
from disentangle_tf.tensor_types import Distribution


@keras.saving.register_keras_serializable(package="disentangle_tf")
class IsotropicNormal(Prior):
  """Standard normal prior, N(0, 1) for each latent; it is invariant to rotations.

  Example:
    >>> from disentangle_tf import priors
    >>> round(float(priors.IsotropicNormal().log_prob([0.0, 0.0])), 3)
    -1.838
  """

  def __init__(self) -> None:
    pass

  @property
  def distribution(self) -> Distribution:
    return tfp.distributions.Normal(0.0, 1.0)
