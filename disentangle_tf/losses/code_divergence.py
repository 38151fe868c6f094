"""Divergences between codes and the prior: MMD, inclusive and exclusive KL."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

import keras
import tensorflow as tf

from disentangle_tf.arguments import (
  check_count,
  check_list,
  check_positive,
  check_truth,
  init_arguments,
)
from disentangle_tf.losses.aggregate_posterior import (
  aggregate_log_densities,
  log_mixture_density,
)
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


@keras.saving.register_keras_serializable(package="disentangle_tf")
class MMD(CodeDivergence):
  """Squared maximum mean discrepancy of codes and prior: unbiased, 0 if they agree.

  The kernel is the sum of inverse multiquadratics C / (C + |z - z'|^2), C = 2 s, over
  the `scales` s.

  Args:
    scales: numbers above 0; the default is that of the code of Mathieu et al.
    per_latent: whether to add up the discrepancies of single latents, as that code
      does. By default it is the discrepancy of whole codes, as in the papers, which
      also detects dependencies between latents. With many latents the sum is much
      larger.

  Reference: Tolstikhin et al., 2018, "Wasserstein Auto-Encoders"; Mathieu et al., 2019,
  "Disentangling Disentanglement in Variational Autoencoders", appendix B.

  Example:
    >>> import tensorflow as tf
    >>> from disentangle_tf import losses
    >>> drawn = tf.random.stateless_normal((64, 2), seed=[0, 0])
    >>> mmd = losses.MMD()
    >>> near, far = mmd(None, -drawn, None, drawn), mmd(None, drawn + 3, None, drawn)
    >>> abs(float(near)) < 0.2 < float(far)
    True
  """

  def __init__(
    self,
    *,
    scales: Sequence[float] = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
    per_latent: bool = False,
  ) -> None:
    check_list("MMD", check_positive, scales=scales)
    check_truth("MMD", per_latent=per_latent)
    self.scales = tuple(scales)
    self.per_latent = per_latent

  def __call__(
    self, posterior: Distribution, codes: tf.Tensor, prior: Any, drawn: tf.Tensor
  ) -> tf.Tensor:
    del posterior, prior
    count = tf.shape(codes)[0]
    size = tf.cast(count, codes.dtype)
    within = self._kernel(codes, codes) + self._kernel(drawn, drawn)
    # Without the diagonal, which compares each code with itself, the estimate is
    # unbiased. XLA cannot compile the gradient of set_diag for unknown batch sizes.
    within *= 1.0 - tf.eye(count, dtype=codes.dtype)
    between = self._kernel(codes, drawn)
    within = tf.reduce_sum(within) / (size * (size - 1))
    return within - 2.0 * tf.reduce_sum(between) / size**2

  def _kernel(self, first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Kernel of all pairs of codes: [batch, batch]; per latent, with latents first."""
    squared = tf.transpose((first[:, None] - second[None]) ** 2, [2, 0, 1])
    if not self.per_latent:
      squared = tf.reduce_sum(squared, axis=0)
    return tf.add_n([2 * s / (2 * s + squared) for s in self.scales])


@keras.saving.register_keras_serializable(package="disentangle_tf")
class InclusiveKL(CodeDivergence):
  """KL(p || q) of the prior p from q(z), the mean of a batch's posteriors, in nats.

  It is large if q is small where p is large. It is estimated as a Monte-Carlo mean over
  draws from the prior. The logarithm of the batch's mean density is biased: the
  estimate is too large by about E_p[(E_x[q(z|x)^2] / q(z)^2 - 1)] / (2 batch).

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", appendix B.

  Example:
    >>> import tensorflow as tf
    >>> import tensorflow_probability as tfp
    >>> from disentangle_tf import losses, priors
    >>> posterior = tfp.distributions.Normal(tf.zeros((8, 2)), tf.ones((8, 2)))
    >>> codes, prior = tf.zeros((8, 2)), priors.IsotropicNormal()
    >>> value = losses.InclusiveKL()(posterior, codes, prior, tf.ones((8, 2)))
    >>> abs(float(value)) < 1e-5  # every posterior is the prior
    True
  """

  def __init__(self) -> None:
    pass

  def __call__(
    self, posterior: Distribution, codes: tf.Tensor, prior: Any, drawn: tf.Tensor
  ) -> tf.Tensor:
    del codes
    return tf.reduce_mean(prior.log_prob(drawn) - log_mixture_density(posterior, drawn))


@keras.saving.register_keras_serializable(package="disentangle_tf")
class ExclusiveKL(CodeDivergence):
  """KL(q || p) of q(z), the mean of a batch's posteriors, from the prior p, in nats.

  It is large if q is large where p is small. It is estimated at the batch's codes, with
  the estimate 10b of the paper for q. Posteriors of different images hardly overlap, so
  with small batches the estimate reacts to their width much more than to the
  shape of q. The paper therefore recommends `InclusiveKL` or `MMD`.

  Args:
    num_points: number of images of the data set; None means that the batch is the whole
      set, for which the estimate is unbiased.

  Reference: Mathieu et al., 2019, "Disentangling Disentanglement in Variational
  Autoencoders", appendix C.

  Example:
    >>> import tensorflow as tf
    >>> import tensorflow_probability as tfp
    >>> from disentangle_tf import losses, priors
    >>> posterior = tfp.distributions.Normal(tf.zeros((8, 2)), tf.ones((8, 2)))
    >>> codes, prior = tf.ones((8, 2)), priors.IsotropicNormal()
    >>> value = losses.ExclusiveKL()(posterior, codes, prior, tf.zeros((8, 2)))
    >>> abs(float(value)) < 1e-5  # every posterior is the prior
    True
  """

  def __init__(self, *, num_points: int | None = None) -> None:
    if num_points is not None:
      check_count("ExclusiveKL", num_points=num_points)
    self.num_points = num_points

  def __call__(
    self, posterior: Distribution, codes: tf.Tensor, prior: Any, drawn: tf.Tensor
  ) -> tf.Tensor:
    del drawn
    if self.num_points is None:
      aggregate = log_mixture_density(posterior, codes)
    else:
      aggregate, _ = aggregate_log_densities(
        posterior, codes, estimator="stratified", num_points=self.num_points
      )
    return tf.reduce_mean(aggregate - prior.log_prob(codes))
