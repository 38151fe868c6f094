"""A prior with heavy tails: a product of Student-t distributions."""

import keras
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_positive
from disentangle_tf.priors.prior import Prior
from disentangle_tf.tensor_types import Distribution


@keras.saving.register_keras_serializable(package="disentangle_tf")
class StudentT(Prior):
  """Product of Student-t distributions; N(0, 1) in the limit of many degrees.

  Args:
    degrees_of_freedom: the paper's nu, above 0.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", section 6.1.

  Example:
    >>> from disentangle_tf import priors
    >>> prior = priors.StudentT(4)
    >>> float(prior.distribution.variance())
    2.0
  """

  def __init__(self, degrees_of_freedom: float) -> None:
    check_positive("StudentT", degrees_of_freedom=degrees_of_freedom)
    self.degrees_of_freedom = degrees_of_freedom

  @property
  def distribution(self) -> Distribution:
    return tfp.distributions.StudentT(float(self.degrees_of_freedom), 0.0, 1.0)
