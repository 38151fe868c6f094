"""Any TensorFlow Probability distribution as a prior."""

import numbers

import keras
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.errors import UserError
from disentangle_tf.priors.prior import Prior

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class TfpPrior(Prior):
  """The tfp distribution it is given.

  Args:
    distribution: of single latents, or of whole codes.

  Example:
    VAE(..., prior=tfd.Laplace(0.0, 1.0))  # makes one of these
  """

  def __init__(self, distribution):
    if distribution.event_shape.rank not in (0, 1):
      raise UserError(
        f"a prior is of single latents or of whole codes, not of events of shape "
        f"{distribution.event_shape}"
      )
    self._distribution = distribution

  @property
  def distribution(self):
    return self._distribution

  def get_config(self):
    return {"distribution": _describe(self._distribution)}

  @classmethod
  def from_config(cls, config):
    return cls(_make(config["distribution"]))


def _describe(value):
  """A distribution's class and parameters as JSON."""
  if isinstance(value, tfd.Distribution):
    parameters = {k: v for k, v in value.parameters.items() if v is not None}
    return {
      "class": type(value).__name__,
      "parameters": {name: _describe(v) for name, v in parameters.items()},
    }
  if isinstance(value, bool | str | numbers.Number):
    return value
  if isinstance(value, np.ndarray | np.generic | tf.Tensor | list | tuple):
    return np.asarray(value).tolist()
  raise UserError(
    f"a prior with a parameter such as {value!r} cannot be saved: write a "
    "priors.Prior of your own"
  )


def _make(value):
  if isinstance(value, dict):
    parameters = {name: _make(v) for name, v in value["parameters"].items()}
    return getattr(tfd, value["class"])(**parameters)
  return value
