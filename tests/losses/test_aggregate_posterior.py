import itertools

import numpy as np
import pytest
import tensorflow as tf
import tensorflow_probability as tfp
from scipy import special, stats

from disentangle_tf.errors import UserError
from disentangle_tf.losses.aggregate_posterior import (
  aggregate_log_densities,
  check_estimator,
  log_mixture_density,
  total_correlation,
)
from disentangle_tf.random_streams import random_uniform, stream_seed

tfd = tfp.distributions
RNG = np.random.default_rng(0)
POINTS, LATENTS = 12, 3
MEANS = RNG.normal(size=(POINTS, LATENTS)).astype(np.float32)
SCALES = RNG.uniform(0.3, 0.9, (POINTS, LATENTS)).astype(np.float32)


def _posterior(index=slice(None)):
  return tfd.Normal(MEANS[index], SCALES[index])


def _draw(posterior, seed):
  return posterior.quantile(random_uniform(posterior.batch_shape, seed))


def _enumerated(codes):
  """(log q(z), log q(z_j)) over the whole set, in NumPy."""
  each = stats.norm.logpdf(codes[:, None, :], MEANS[None], SCALES[None])
  joint = special.logsumexp(each.sum(2), axis=1) - np.log(POINTS)
  return joint, special.logsumexp(each, axis=1) - np.log(POINTS)


def test_stratified_is_exact_on_the_whole_set():
  codes = _draw(_posterior(), stream_seed(0, "test")).numpy()
  joint, marginals = aggregate_log_densities(
    _posterior(), codes, estimator="stratified", num_points=POINTS
  )
  expected_joint, expected_marginals = _enumerated(codes)
  np.testing.assert_allclose(joint, expected_joint, atol=1e-4)
  np.testing.assert_allclose(marginals, expected_marginals, atol=1e-4)


def _estimates(index, codes):
  return aggregate_log_densities(
    _posterior(index), codes, estimator="stratified", num_points=POINTS
  )


def test_information_total_correlation_and_dimension_wise_kl_add_up_to_the_kl():
  prior = tfd.Normal(0.0, 1.0)

  @tf.function
  def parts_of(draw):
    codes = _draw(_posterior(), stream_seed(0, "test", draw))
    joint, marginals = _estimates(slice(None), codes)
    own = tf.reduce_sum(_posterior().log_prob(codes), axis=1)
    correlation = total_correlation(
      _posterior(), codes, estimator="stratified", num_points=POINTS
    )
    product = tf.reduce_sum(marginals - prior.log_prob(codes), axis=1)
    return tf.stack([tf.reduce_mean(own - joint), correlation, tf.reduce_mean(product)])

  parts = np.array([parts_of(tf.constant(draw)) for draw in range(1000)])
  closed = np.mean(tf.reduce_sum(tfd.kl_divergence(_posterior(), prior), axis=1))
  error = parts.sum(1).std() / np.sqrt(len(parts))
  assert abs(parts.sum(1).mean() - closed) < 4 * error
  information, correlation, product = parts.mean(0)
  assert 0 < information < np.log(POINTS) and product > 0
  # The total correlation by enumeration of q(z), with fresh draws.
  rng = np.random.default_rng(1)
  index = rng.integers(POINTS, size=100_000)
  joint, marginals = _enumerated(rng.normal(MEANS[index], SCALES[index]))
  values = joint - marginals.sum(1)
  error = values.std() / np.sqrt(len(values)) + parts[:, 1].std() / np.sqrt(len(parts))
  assert abs(values.mean() - correlation) < 4 * error


def test_stratified_density_is_unbiased_on_part_of_the_set():
  """The mean over all batches of three further points is the density itself."""
  code = np.array([[0.2, -0.1, 0.4]], np.float32)
  batches = [(0, *rest) for rest in itertools.combinations(range(1, POINTS), 3)]
  estimates = [_estimates(list(b), np.repeat(code, 4, axis=0))[0][0] for b in batches]
  truth = np.exp(_enumerated(code)[0][0])
  assert np.mean(np.exp(estimates)) == pytest.approx(truth, rel=1e-4)


def test_weighted_drops_a_constant_that_num_points_brings_back():
  codes = _draw(_posterior(), stream_seed(0, "test"))
  dropped = total_correlation(_posterior(), codes)
  kept = total_correlation(_posterior(), codes, num_points=1000)
  constant = (LATENTS - 1) * np.log(POINTS * 1000)
  assert float(kept - dropped) == pytest.approx(constant, rel=1e-4)
  each = stats.norm.logpdf(codes.numpy()[:, None], MEANS[None], SCALES[None])
  joint = special.logsumexp(each.sum(2), axis=1)
  expected = np.mean(joint - special.logsumexp(each, axis=1).sum(1))
  assert float(dropped) == pytest.approx(expected, rel=1e-4)


def test_mixture_density_is_the_mean_of_the_posteriors():
  codes = RNG.normal(size=(5, LATENTS)).astype(np.float32)
  np.testing.assert_allclose(
    log_mixture_density(_posterior(), codes), _enumerated(codes)[0], atol=1e-4
  )


@pytest.mark.parametrize(
  ("arguments", "message"),
  [
    (("best", None), "estimator is 'best': it must be 'weighted' or 'stratified'"),
    (("stratified", None), "needs num_points"),
    (("weighted", 0), "num_points is 0"),
  ],
)
def test_bad_settings(arguments, message):
  with pytest.raises(UserError, match=message):
    check_estimator(*arguments)
