"""Priors with independent latents: normal, anisotropic normal, Student-t."""

from __future__ import annotations

from collections.abc import Sequence

import keras
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.arguments import check_positive, check_truth
from disentangle_tf.errors import UserError
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


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AnisotropicNormal(Prior):
  """Normal prior with one scale per latent, rescaled so that their mean is 1.

  The scales are a softmax of the logarithms of `scales`, times the number of latents.
  This keeps their mean at 1, so the meaning of beta does not change.

  Args:
    scales: one positive number per latent, such as the data's singular values
      (`data.singular_values`).
    learned: whether training changes the scales, from this starting point.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", section 6.1 and appendix B.

  Example:
    >>> from disentangle_tf import priors
    >>> prior = priors.AnisotropicNormal([3.0, 1.0])
    >>> prior.distribution.stddev().numpy().round(2).tolist()
    [1.5, 0.5]
  """

  def __init__(
    self, scales: Sequence[float] | np.ndarray, *, learned: bool = False
  ) -> None:
    check_truth("AnisotropicNormal", learned=learned)
    if np.ndim(scales) != 1 or not np.all(np.asarray(scales) > 0):
      raise UserError(
        f"AnisotropicNormal.scales is {scales!r}: list one positive number per latent"
      )
    self.scales = [float(scale) for scale in scales]
    self.learned = learned
    logits = np.log(self.scales).astype(np.float32)
    self._logits = (
      keras.Variable(logits, name="prior_scales") if learned else tf.constant(logits)
    )

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    return (self._logits,) if self.learned else ()

  def as_trained(self) -> AnisotropicNormal:
    return AnisotropicNormal(self.distribution.stddev().numpy())

  @property
  def distribution(self) -> Distribution:
    logits = tf.convert_to_tensor(self._logits)
    scales = len(self.scales) * tf.nn.softmax(logits)
    return tfp.distributions.Normal(tf.zeros_like(scales), scales)


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
