"""`Prior`, the base class of the prior distributions of the latents."""

from __future__ import annotations

import abc
from collections.abc import Sequence

import keras
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.arguments import init_arguments
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import random_uniform, split_seed
from disentangle_tf.tensor_types import Distribution, Tensor

tfd = tfp.distributions


class Prior(abc.ABC):
  """Base class of priors: a tfp distribution with the operations that models need.

  The distribution is either of single latents (no event dimensions; a batch shape of []
  or [latents]) or of whole codes (one event dimension). A subclass defines
  `distribution`, and keeps every argument of `__init__` as an attribute of that name.

  Attributes:
    distribution: the `tfd.Distribution`.
    variables: tuple of Keras variables that the model trains.

  Example:
    >>> import tensorflow_probability as tfp
    >>> from disentangle_tf import priors
    >>> class Laplace(priors.Prior):
    ...   def __init__(self, scale):
    ...     self.scale = scale
    ...
    ...   @property
    ...   def distribution(self):
    ...     return tfp.distributions.Laplace(0.0, self.scale)
    >>> round(float(Laplace(1.0).log_prob([0.0, 0.0, 0.0])), 3)
    -2.079
  """

  @property
  @abc.abstractmethod
  def distribution(self) -> Distribution:
    """The `tfd.Distribution`, built from the present values of the variables."""
    raise NotImplementedError

  @property
  def variables(self) -> tuple[keras.Variable, ...]:
    """Variables that the model trains."""
    return ()

  def divergence(self, posterior: Distribution, codes: Tensor) -> tf.Tensor:
    """KL divergence of a posterior from this prior: [batch, latents].

    tfp's closed form if there is one, otherwise the one-sample Monte-Carlo estimate
    log q(z|x) - log p(z). The KL from a prior of whole codes is divided equally among
    the latents.

    Args:
      posterior: `tfd.Normal` [batch, latents].
      codes: [batch, latents], drawn from the posterior.
    """
    prior = self.distribution
    if not self._of_whole_codes:
      try:
        return tfd.kl_divergence(posterior, prior)
      except NotImplementedError:
        return posterior.log_prob(codes) - prior.log_prob(codes)
    whole = _divergence_of_whole_codes(posterior, prior, codes)[:, None]
    latents = posterior.batch_shape[-1]
    return tf.repeat(whole / latents, latents, axis=1)

  def log_prob(self, codes: Tensor | Sequence) -> tf.Tensor:
    """Log-density of codes [..., latents]: [...]."""
    values = self.distribution.log_prob(codes)
    return values if self._of_whole_codes else tf.reduce_sum(values, axis=-1)

  def sample(self, count: int | tf.Tensor, latents: int, seed: Tensor) -> tf.Tensor:
    """Draw codes [count, latents].

    The draws of the priors in this package are the same with and without XLA; those of
    other distributions may differ.

    Args:
      count: number of codes.
      latents: number of latents.
      seed: int32 [2].
    """
    distribution = self.distribution
    if isinstance(distribution, tfd.MixtureSameFamily):
      return _sample_mixture(distribution, count, latents, seed)
    if self._of_whole_codes:
      return distribution.sample(count, seed=seed)
    try:
      return distribution.quantile(random_uniform([count, latents], seed))
    except NotImplementedError:
      whole = tfd.BatchBroadcast(distribution, [latents])
      return whole.sample(count, seed=seed)

  def check_latents(self, latents: int) -> None:
    """Raise a `UserError` unless the prior fits a model with this many latents."""
    prior = self.distribution
    shape = prior.event_shape if self._of_whole_codes else prior.batch_shape
    if shape.rank and shape.as_list() not in ([latents], [1]):
      raise UserError(
        f"{type(self).__name__} is a prior of shape {shape.as_list()}, the model has "
        f"{latents} latents: they must agree"
      )

  def as_trained(self) -> Prior:
    """The same prior with its learned values as arguments and no variables."""
    return self

  def get_config(self) -> dict:
    return init_arguments(self)

  @classmethod
  def from_config(cls, config: dict) -> Prior:
    return cls(**config)

  @property
  def _of_whole_codes(self) -> bool:
    return self.distribution.event_shape.rank == 1


def _divergence_of_whole_codes(
  posterior: Distribution, prior: Distribution, codes: Tensor
) -> tf.Tensor:
  """KL per code: [batch].

  tfp has closed forms for pairs of classes, so the posterior is tried as two of them.
  """
  for same in (
    tfd.Independent(posterior, 1),
    tfd.MultivariateNormalDiag(posterior.loc, posterior.scale),
  ):
    try:
      return tfd.kl_divergence(same, prior)
    except NotImplementedError:
      continue
  return tf.reduce_sum(posterior.log_prob(codes), axis=-1) - prior.log_prob(codes)


def _sample_mixture(
  mixture: Distribution,
  count: int | tf.Tensor,
  latents: int,
  seed: Tensor,
) -> tf.Tensor:
  """Draw codes through quantile functions, whose results XLA does not change."""
  whole = mixture.event_shape.rank == 1
  choices = random_uniform(
    [count] if whole else [count, latents], split_seed(seed, "component")
  )
  probabilities = mixture.mixture_distribution.probs_parameter()
  chosen = tf.searchsorted(
    tf.cumsum(probabilities)[:-1], tf.reshape(choices, [-1]), side="right"
  )
  normal = tfd.Normal(0.0, 1.0).quantile(random_uniform([count, latents], seed))
  parts = mixture.components_distribution
  chosen = tf.reshape(chosen, tf.shape(choices))
  return tf.gather(parts.mean(), chosen) + tf.gather(parts.stddev(), chosen) * normal
