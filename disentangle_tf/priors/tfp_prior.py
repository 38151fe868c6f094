"""Any TensorFlow Probability distribution as a prior."""

from __future__ import annotations

import numbers
from typing import Any

import keras
import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.errors import UserError
from disentangle_tf.priors.prior import Prior
from disentangle_tf.tensor_types import Distribution

tfd = tfp.distributions


@keras.saving.register_keras_serializable(package="disentangle_tf")
class TfpPrior(Prior):
  """Prior from any tfp distribution.

  `models.VAE` wraps a tfp distribution given as its `prior` in this class.

  Args:
    distribution: of single latents (no event dimension), or of whole codes (one).

  Raises:
    UserError: the distribution has two or more event dimensions.

  Example:
    >>> import tensorflow_probability as tfp
    >>> from disentangle_tf import priors
    >>> prior = priors.TfpPrior(tfp.distributions.Laplace(0.0, 1.0))
    >>> round(float(prior.log_prob([1.0, -1.0])), 3)
    -3.386
  """

  def __init__(self, distribution: Distribution) -> None:
    if distribution.event_shape.rank not in (0, 1):
      raise UserError(
        f"TfpPrior.distribution has events of shape {distribution.event_shape}: it "
        "must be a distribution of single latents or of whole codes"
      )
    self._distribution = distribution

  @property
  def distribution(self) -> Distribution:
    return self._distribution

  def get_config(self) -> dict:
    return {"distribution": _describe(self._distribution)}

  @classmethod
  def from_config(cls, config: dict) -> TfpPrior:
    return cls(_make(config["distribution"]))


def _describe(value: Any) -> Any:
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
    f"a prior with the parameter {value!r} cannot be saved: write your own subclass "
    "of priors.Prior"
  )


def _make(value: Any) -> Any:
  if isinstance(value, dict):
    parameters = {name: _make(v) for name, v in value["parameters"].items()}
    return getattr(tfd, value["class"])(**parameters)
  return value
