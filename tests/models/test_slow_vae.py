import numpy as np
import pytest
import tensorflow_probability as tfp
from model_checks import (
  PAIR,
  check_defaults,
  check_terms,
  make_spread,
  pair_terms,
  posterior_of,
  reductions,
)
from scipy import integrate, stats
from shared_checks import tiny_data, tiny_model

from disentangle_tf import models
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.models.slow_vae import laplace_cross_entropy


@pytest.mark.parametrize("mean", [0.0, 0.4, -2.0])
@pytest.mark.parametrize("scale", [0.1, 1.3])
def test_laplace_cross_entropy_is_the_integral(mean, scale):
  rate = 6.0

  def integrand(z):
    return -stats.norm.pdf(z, mean, scale) * stats.laplace.logpdf(z, 0, 1 / rate)

  reach = (mean - 12 * scale, mean + 12 * scale)
  expected, _ = integrate.quad(integrand, *reach, points=[0.0, mean], limit=200)
  value = laplace_cross_entropy(np.float32(mean), np.float32(scale), rate=rate)
  assert float(value) == pytest.approx(expected, rel=1e-4)


def test_transition_is_the_kl_by_monte_carlo():
  model = tiny_model(models.SlowVAE, rate=2.0)
  normal, laplace = tfp.distributions.Normal, tfp.distributions.Laplace
  posterior, other = normal([[0.5, -1.0]], [[0.7, 0.2]]), normal([[0.1, 0.3]], 1.0)
  drawn = np.random.default_rng(0).normal([0.5, -1.0], [0.7, 0.2], (400_000, 2))
  ratio = posterior.log_prob(drawn.astype(np.float32)) - laplace(
    [[0.1, 0.3]], 0.5
  ).log_prob(drawn.astype(np.float32))
  np.testing.assert_allclose(
    model.transition(posterior, other)[0], np.mean(ratio, axis=0), atol=0.01
  )


def test_learns_from_pairs():
  images = Batches(tiny_data(), batch_size=4).make(0)
  with pytest.raises(UserError, match="SlowVAE learns from pairs"):
    tiny_model(models.SlowVAE).check_batch(images)
  tiny_model(models.SlowVAE).check_batch((images, images))


def test_bad_settings():
  with pytest.raises(UserError, match=r"SlowVAE.rate is 0"):
    tiny_model(models.SlowVAE, rate=0)


def _transition(one, other, rate):
  """KL of a normal from a Laplace around the other's mean, by its definition."""
  (m, s), (n, _) = one, other
  apart = m - n
  folded = s * np.sqrt(2 / np.pi) * np.exp(-(apart**2) / (2 * s**2))
  absolute = folded + apart * (1 - 2 * stats.norm.cdf(-apart / s))
  cross_entropy = rate * absolute - np.log(rate / 2)
  return cross_entropy - stats.norm.entropy(m, s)


@reductions
def test_every_term_is_that_of_the_formula(reduction):
  model = make_spread(
    models.SlowVAE, gamma=4.0, rate=2.5, beta=1.5, reduction=reduction
  )
  first, second = (posterior_of(model, images) for images in PAIR)
  both = _transition(first, second, 2.5) + _transition(second, first, 2.5)
  expected = {
    **pair_terms(model, (first, second), beta=1.5),
    "transition": 4.0 * 0.5 * both.sum(axis=1).mean(),
  }
  check_terms(model, expected, PAIR)


def test_defaults():
  check_defaults(models.SlowVAE, {"gamma": 10.0, "rate": 6.0, "beta": 1.0})
