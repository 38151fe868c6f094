"""A product of Student-t distributions as prior."""

import keras
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_positive
from disentangle_tf.priors.prior import Prior


@keras.saving.register_keras_serializable(package="disentangle_tf")
class StudentT(Prior):
  """A product of Student-t distributions: N(0, 1) as `degrees_of_freedom` grow.

  Args:
    degrees_of_freedom: the paper's nu, above 0.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", section 6.1.
  """

  def __init__(self, degrees_of_freedom):
    check_positive("StudentT", degrees_of_freedom=degrees_of_freedom)
    self.degrees_of_freedom = degrees_of_freedom

  @property
  def distribution(self):
    return tfp.distributions.StudentT(float(self.degrees_of_freedom), 0.0, 1.0)
