"""Estimates of the aggregate posterior q(z), the mean of q(z|x) over the data.

Chen et al. 2018, "Isolating Sources of Disentanglement in Variational Autoencoders",
appendix C. Two estimators of q(z) for a code z drawn from image i of a batch of B:

- "weighted": the sum of q(z|x_j) over the batch, divided by B * num_points. Without
  num_points the constant is dropped, as in disentanglement_lib; gradients are the same.
- "stratified": q(z|x_i) / num_points + (num_points - 1) / (num_points (B - 1)) times
  the sum over the others, as in Mathieu et al. 2019, equation 10b. It is unbiased, and
  exact if the batch is the whole data set. (Chen et al. give one of the others another
  weight; the expectation is the same.)
"""

import math

import tensorflow as tf

from disentangle_tf.arguments import check_choice, check_count
from disentangle_tf.errors import UserError
from disentangle_tf.tensor_types import Distribution

_ESTIMATORS = ("weighted", "stratified")


def total_correlation(
  posterior: Distribution,
  codes: tf.Tensor,
  *,
  estimator: str = "weighted",
  num_points: int | None = None,
) -> tf.Tensor:
  """KL divergence of q(z) from the product of its marginals, in nats: a scalar.

  Args:
    posterior: tfp distribution [batch, latents].
    codes: [batch, latents], drawn from the posterior.
    estimator: "weighted" or "stratified", see the module.
    num_points: size of the data set, see the module.
  """
  joint, marginals = aggregate_log_densities(
    posterior, codes, estimator=estimator, num_points=num_points
  )
  return tf.reduce_mean(joint - tf.reduce_sum(marginals, axis=1))


def aggregate_log_densities(
  posterior: Distribution,
  codes: tf.Tensor,
  *,
  estimator: str,
  num_points: int | None,
) -> tuple[tf.Tensor, tf.Tensor]:
  """(log q(z), log q(z_j)) of each code: [batch] and [batch, latents]."""
  each = posterior.log_prob(codes[:, None, :])  # [codes, posteriors, latents]
  log_weights = _log_weights(tf.shape(codes)[0], estimator, num_points)
  joint = tf.reduce_logsumexp(tf.reduce_sum(each, axis=2) + log_weights, axis=1)
  marginals = tf.reduce_logsumexp(each + log_weights[:, :, None], axis=1)
  return joint, marginals


def check_estimator(estimator: str, num_points: int | None) -> None:
  """Raise a `UserError` unless the estimator exists and has what it needs."""
  check_choice("aggregate_posterior", _ESTIMATORS, estimator=estimator)
  if num_points is not None:
    check_count("estimator", num_points=num_points)
  elif estimator == "stratified":
    raise UserError(
      "the stratified estimator needs num_points, the size of the data set: set it, "
      "e.g. to data.num_points(dataset)"
    )


def _log_weights(
  batch_size: tf.Tensor, estimator: str, num_points: int | None
) -> tf.Tensor:
  """Log-weight of every posterior for every code: [batch, batch]."""
  shape = [batch_size, batch_size]
  size = tf.cast(batch_size, tf.float32)
  if estimator == "weighted":
    constant = 0.0 if num_points is None else -math.log(num_points) - tf.math.log(size)
    return tf.fill(shape, constant)
  assert num_points is not None  # see `check_estimator`
  others = math.log((num_points - 1) / num_points) - tf.math.log(size - 1)
  return tf.linalg.set_diag(
    tf.fill(shape, others), tf.fill([batch_size], -math.log(num_points))
  )


def log_mixture_density(posterior: Distribution, codes: tf.Tensor) -> tf.Tensor:
  """Log of the mean density of the batch's posteriors at codes [count, latents]."""
  each = tf.reduce_sum(posterior.log_prob(codes[:, None, :]), axis=2)
  size = tf.cast(tf.shape(each)[1], each.dtype)
  return tf.reduce_logsumexp(each, axis=1) - tf.math.log(size)
