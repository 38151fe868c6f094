"""`Prior`, the base class: the distribution of the latents before an image is seen."""

import abc

import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf.errors import UserError
from disentangle_tf.init_arguments import init_arguments
from disentangle_tf.random_streams import random_uniform, split_seed

tfd = tfp.distributions


class Prior(abc.ABC):
  """A tfp distribution of codes, with what a model asks of it.

  The distribution is either of single latents (no event dimensions; a batch shape of []
  or [latents]) or of whole codes (one event dimension).
  """

  @property
  @abc.abstractmethod
  def distribution(self):
    """The `tfd.Distribution`, made anew from whatever is learned."""

  @property
  def variables(self):
    """Variables that the model learns."""
    return ()

  def divergence(self, posterior, codes):
    """KL of a posterior from this prior: [batch, latents].

    In closed form where tfp has one, otherwise the one-sample Monte-Carlo estimate
    log q(z|x) - log p(z). A prior of whole codes has no KL per latent: each latent is
    given an equal share of it.

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
    latents = codes.shape[-1]
    return tf.repeat(whole / latents, latents, axis=1)

  def log_prob(self, codes):
    """Log-density of codes [..., latents]: [...]."""
    values = self.distribution.log_prob(codes)
    return values if self._of_whole_codes else tf.reduce_sum(values, axis=-1)

  def sample(self, count, latents, seed):
    """Codes [count, latents]; of other than the priors here, XLA changes the draws."""
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

  def check_latents(self, latents):
    """Raises a `UserError` unless this is a prior of so many latents."""
    prior = self.distribution
    shape = prior.event_shape if self._of_whole_codes else prior.batch_shape
    if shape.rank and shape.as_list() not in ([latents], [1]):
      raise UserError(
        f"{type(self).__name__} is a prior of shape {shape.as_list()}, the model has "
        f"{latents} latents: they must agree"
      )

  def as_trained(self):
    """The same prior with what it has learned among its arguments."""
    return self

  def get_config(self):
    return init_arguments(self)

  @classmethod
  def from_config(cls, config):
    return cls(**config)

  @property
  def _of_whole_codes(self):
    return self.distribution.event_shape.rank == 1


def _divergence_of_whole_codes(posterior, prior, codes):
  """[batch]; tfp knows the KL only of distributions of one kind."""
  for same in (
    tfd.Independent(posterior, 1),
    tfd.MultivariateNormalDiag(posterior.loc, posterior.scale),
  ):
    try:
      return tfd.kl_divergence(same, prior)
    except NotImplementedError:
      continue
  return tf.reduce_sum(posterior.log_prob(codes), axis=-1) - prior.log_prob(codes)


def _sample_mixture(mixture, count, latents, seed):
  """Through quantile functions, which XLA does not change."""
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
