"""Theorem 1 of Mathieu et al. 2019, its corollaries and equation 5, on linear VAEs."""

import numpy as np
import pytest
import tensorflow as tf
import tensorflow_probability as tfp

from disentangle_tf import losses, models, networks
from disentangle_tf.priors import IsotropicNormal

tfd = tfp.distributions
LATENTS, BETA = 3, 4.0
MEAN, SCALE = np.float32([[0.5, -1.0, 2.0]]), np.float32([[0.3, 1.5, 0.8]])


def _log_f():
  """log F_beta, the integral of the standard normal density to the power beta."""
  return LATENTS * ((1 - BETA) / 2 * np.log(2 * np.pi) - np.log(BETA) / 2)


def test_the_constant_of_the_annealed_prior_is_its_integral():
  grid = np.linspace(-20, 20, 200_001)
  density = np.exp(-BETA * (grid**2 / 2 + np.log(2 * np.pi) / 2))
  integral = np.trapezoid(density, grid)
  assert LATENTS * np.log(integral) == pytest.approx(_log_f(), rel=1e-9)


def test_beta_times_the_kl_is_that_from_the_annealed_prior_less_entropy():
  """Theorem 1: -beta KL(q || p) = -KL(q || f) + (beta - 1) H(q) + log F."""
  posterior = tfd.Normal(MEAN, SCALE)
  annealed = tfd.Normal(0.0, np.float32(BETA**-0.5))
  kl = tf.reduce_sum(IsotropicNormal().divergence(posterior, MEAN))
  of_annealed = tf.reduce_sum(tfd.kl_divergence(posterior, annealed))
  entropy = tf.reduce_sum(posterior.entropy())
  adjusted = -of_annealed + (BETA - 1) * entropy + _log_f()
  assert float(-BETA * kl) == pytest.approx(float(adjusted), rel=1e-5)


def _model(beta, scale=1.0):
  """A linear beta-VAE whose codes are `scale` times those of seed 0."""
  shape = (4, 4, 1)
  encoder = networks.linear_encoder(shape, latents=LATENTS)
  decoder = networks.linear_decoder(shape, latents=LATENTS)
  rng = np.random.default_rng(0)
  kernel, bias, log_variances = (
    rng.normal(size=weights.shape) * 0.3 for weights in encoder.get_weights()
  )
  encoder.set_weights([scale * kernel, scale * bias, log_variances + 2 * np.log(scale)])
  decoder.set_weights([rng.normal(size=(LATENTS, 16)) / scale, rng.normal(size=16)])
  loss = losses.MSE()
  return models.BetaVAE(encoder, decoder, loss, beta=beta, reduction="sum")


def _images():
  return np.random.default_rng(1).random((32, 4, 4, 1)).astype(np.float32)


def _maximum_entropy_terms(model, seed):
  """Equation 5 as a loss: that of a VAE less (beta - 1) / 2 log det S."""
  posterior = model.encode(_images())
  log_determinant = tf.reduce_sum(tf.math.log(posterior.variance()), axis=1)
  entropy = (BETA - 1) / 2 * tf.reduce_mean(log_determinant)
  return {**model.loss_terms(_images(), seed), "entropy": -entropy}


def test_a_rescaled_vae_with_maximum_entropy_has_the_loss_of_a_beta_vae():
  """Corollary 1: both losses differ by the constant c for all weights."""
  seed = (0, 0)
  of_beta = sum(_model(BETA).loss_terms(_images(), seed).values())
  rescaled = _model(1.0, scale=BETA**0.5)
  of_entropy = sum(_maximum_entropy_terms(rescaled, seed).values())
  c = LATENTS * (BETA - 1) / 2 * (1 + np.log(2 * np.pi / BETA)) + _log_f()
  assert float(of_beta) == pytest.approx(float(of_entropy) - c, rel=1e-4)


def test_gradients_of_both_losses_vanish_together():
  """Corollary 2: the gradients are equal up to the scaling of the weights."""
  seed, root = (0, 0), BETA**0.5
  first, second = _model(BETA), _model(1.0, scale=root)
  gradients = []
  for model, terms_of in (
    (first, lambda: first.loss_terms(_images(), seed)),
    (second, lambda: _maximum_entropy_terms(second, seed)),
  ):
    with tf.GradientTape() as tape:
      loss = tf.add_n(list(terms_of().values()))
    gradients.append(tape.gradient(loss, model.trainable_variables))
  kernel, bias, _ = first.encoder.trainable_variables
  grows, shrinks = {kernel.path, bias.path}, first.decoder.trainable_variables[0].path
  for variable, mine, other in zip(first.trainable_variables, *gradients, strict=True):
    ratio = root if variable.path in grows else 1.0
    ratio = 1 / root if variable.path == shrinks else ratio
    np.testing.assert_allclose(mine, ratio * other, rtol=2e-3, atol=2e-3)
