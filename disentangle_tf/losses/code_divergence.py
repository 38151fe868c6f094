"""`CodeDivergence`, the base class of divergences of codes from the prior."""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

from disentangle_tf.init_arguments import init_arguments
from disentangle_tf.tensor_types import Distribution


class CodeDivergence(abc.ABC):
  """Base class of divergences between the aggregate posterior and the prior.

  A subclass defines `__call__`, and keeps every argument of `__init__` as an attribute
  of that name. `models.DecompositionVAE` takes one.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> class MeanDistance(losses.CodeDivergence):
    ...   def __init__(self):
    ...     pass
    ...
    ...   def __call__(self, posterior, codes, prior, drawn):
    ...     return tf.norm(tf.reduce_mean(codes, 0) - tf.reduce_mean(drawn, 0))
    >>> float(MeanDistance()(None, tf.ones((4, 1)), None, tf.zeros((4, 1))))
    1.0
  """

  @abc.abstractmethod
  def __call__(
    self, posterior: Distribution, codes: tf.Tensor, prior: Any, drawn: tf.Tensor
  ) -> tf.Tensor:
    """Compute the divergence of a batch: a scalar, 0 if the two agree.

    Args:
      posterior: tfp distribution [batch, latents].
      codes: [batch, latents], drawn from the posterior.
      prior: a `priors.Prior`.
      drawn: [batch, latents], drawn from the prior.
    """
    raise NotImplementedError

  def get_config(self) -> dict:
    return init_arguments(self)

  @classmethod
  def from_config(cls, config: dict) -> CodeDivergence:
    return cls(**config)
