"""A normal prior with one scale per latent."""

import keras
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.argument_checks import check_truth
from disentangle_tf.errors import UserError
from disentangle_tf.priors.prior import Prior


@keras.saving.register_keras_serializable(package="disentangle_tf")
class AnisotropicNormal(Prior):
  """N(0, scale^2), the scales in proportion to `scales` and 1 on average.

  Scales go through a softmax (of their logarithms), which keeps their mean and so does
  not change what beta means.

  Args:
    scales: one positive number per latent, such as the data's singular values
      (`data.singular_values`).
    learned: whether training changes them, from there.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", section 6.1 and appendix B.
  """

  def __init__(self, scales, *, learned=False):
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
  def variables(self):
    return (self._logits,) if self.learned else ()

  def as_trained(self):
    return AnisotropicNormal(self.distribution.stddev().numpy())

  @property
  def distribution(self):
    logits = tf.convert_to_tensor(self._logits)
    scales = len(self.scales) * tf.nn.softmax(logits)
    return tfp.distributions.Normal(tf.zeros_like(scales), scales)
