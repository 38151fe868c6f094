"""The linear VAE performs PCA.

Zietlow et al. 2021, Theorem 1, which gives the directions; Lucas et al. 2019, "Don't
Blame the ELBO!", and Tipping & Bishop 1999, which give all else in closed form. With
squared errors of weight 1 / (2 noise) and eigenvalues e of the data's covariance, the
best decoder has a column of length sqrt(e - noise) along each of the first
eigenvectors, and the posterior of that latent the variance noise / e. A beta multiplies
the noise.
"""

import keras
import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

from disentangle_tf import losses, models, networks

EIGENVALUES = np.array([6.0, 3.0, 1.5, 0.2, 0.15, 0.1])
SIZE = len(EIGENVALUES)
DIRECTIONS = stats.ortho_group.rvs(SIZE, random_state=0)  # [:, i] has eigenvalue i
MEAN = np.linspace(-0.5, 0.5, SIZE)


def _points(count=256):
  """Gaussian points, with exactly this mean and covariance."""
  points = np.random.default_rng(0).normal(size=(count, SIZE))
  left, _, _ = np.linalg.svd(points - points.mean(0), full_matrices=False)
  scaled = np.sqrt(count * EIGENVALUES) * left
  return (MEAN + scaled @ DIRECTIONS.T).astype(np.float32)


POINTS = _points()


def _trained(loss, *, beta, latents=3, reduction="sum", steps=4000, points=POINTS):
  keras.utils.set_random_seed(0)
  model = models.BetaVAE(
    networks.linear_encoder((SIZE,), latents=latents),
    networks.linear_decoder((SIZE,), latents=latents),
    loss,
    beta=beta,
    reduction=reduction,
  )
  # The rate falls to nothing, and with it the noise of the draws.
  rate = keras.optimizers.schedules.CosineDecay(0.1, steps)
  model.compile(keras.optimizers.Adam(rate))
  model.optimizer.build(model.trainable_variables)

  @tf.function
  def train():
    for _ in tf.range(steps):
      model.train_step(points)

  train()
  return model


def _columns(model):
  """The decoder's matrix, [latents, SIZE]."""
  return model.decoder.trainable_variables[0].numpy()


def _cosines(columns):
  """|cos| of the angles between columns and principal directions."""
  return np.abs(columns @ DIRECTIONS) / np.linalg.norm(columns, axis=1, keepdims=True)


def _check_known_answers(model, noise):
  columns = _columns(model)
  cosines = _cosines(columns)
  component = cosines.argmax(1)
  assert sorted(component) == [0, 1, 2]
  assert cosines.max(1).min() > 0.999
  eigenvalues = EIGENVALUES[component]
  np.testing.assert_allclose(
    np.linalg.norm(columns, axis=1), np.sqrt(eigenvalues - noise), rtol=0.01
  )
  posterior = model.encode(POINTS)
  np.testing.assert_allclose(posterior.variance()[0], noise / eigenvalues, rtol=0.03)
  # The means regress the latents on the points: shorter than the true ones.
  mean = posterior.mean().numpy()
  np.testing.assert_allclose(mean.mean(0), 0.0, atol=0.02)
  np.testing.assert_allclose(mean.var(0), 1 - noise / eigenvalues, rtol=0.01)
  np.testing.assert_allclose(model.reconstruct(MEAN[None])[0], MEAN, atol=0.02)


@pytest.mark.parametrize(
  ("loss", "beta", "noise", "options"),
  [
    (losses.MSE(), 0.5, 0.25, {}),
    (losses.Normal(scale=0.6, learned=False), 2.0, 0.72, {}),
    # beta_mean = beta_sum * latents / pixels
    (losses.MSE(), 0.5 * 3 / SIZE, 0.25, {"reduction": "mean"}),
  ],
  ids=["mse", "normal", "mean_reduction"],
)
def test_columns_are_principal_directions_of_known_length(loss, beta, noise, options):
  _check_known_answers(_trained(loss, beta=beta, **options), noise)


def test_a_learned_scale_gives_the_maximum_likelihood_of_probabilistic_pca():
  loss = losses.Normal()
  model = _trained(loss, beta=1.0)
  noise = EIGENVALUES[3:].mean()
  assert float(tf.exp(2 * loss.log_scale)) == pytest.approx(noise, rel=0.01)
  _check_known_answers(model, noise)
  # The bound is tight: the loss is the negative log-likelihood of
  # N(mean, W W^T + noise I), whose covariance has these eigenvalues.
  variances = np.array([*EIGENVALUES[:3], noise, noise, noise])
  likelihood = np.log(2 * np.pi * variances) + EIGENVALUES / variances
  terms = model.loss_terms(np.tile(POINTS, (200, 1)), tf.constant([0, 0]))
  total = float(tf.add_n(list(terms.values())))
  assert total == pytest.approx(0.5 * likelihood.sum(), abs=0.02)


def test_latents_that_cost_more_than_they_explain_are_switched_off():
  """An eigenvalue below the noise: a column of length 0, a posterior of variance 1."""
  model = _trained(losses.MSE(), beta=1.0, latents=4)
  lengths = np.linalg.norm(_columns(model), axis=1)
  variance = model.encode(POINTS).variance()[0].numpy()
  off = lengths.argmin()
  assert lengths[off] < 0.05
  assert variance[off] == pytest.approx(1.0, abs=0.05)
  on = np.delete(np.arange(4), off)
  component = _cosines(_columns(model)[on]).argmax(1)
  np.testing.assert_allclose(lengths[on] ** 2, EIGENVALUES[component] - 0.5, rtol=0.02)
  assert variance[on].max() < 0.5


@pytest.mark.parametrize(("strength", "angle"), [(0.0, 0.0), (3.0, 22.5)])
def test_a_change_along_the_diagonal_turns_the_latents(strength, angle):
  """Two factors of lengths 2 and 1, and a picture that grows with their sum.

  The latents align with the eigenvectors of diag(4, 1) + strength a a^T, a being the
  diagonal: by arctan(1) / 2 for a strength of 3 (Zietlow et al., section 4).
  """
  factors = np.random.default_rng(0).normal(size=(256, 2))
  factors, _, _ = np.linalg.svd(factors - factors.mean(0), full_matrices=False)
  factors *= np.sqrt(len(factors))  # the identity is their covariance
  points = np.zeros([len(factors), SIZE], np.float32)
  points[:, :2] = factors * [2, 1]
  points[:, 2] = np.sqrt(strength) * factors.sum(axis=1) / np.sqrt(2)
  model = _trained(losses.MSE(), beta=0.1, latents=2, points=points)
  codes = model.encode(points).mean().numpy()
  turned = np.linalg.lstsq(factors, codes, rcond=None)[0]  # [factors, latents]
  longest = turned[:, np.abs(_columns(model)).sum(axis=1).argmax()]
  found = np.degrees(np.arctan2(longest[1], longest[0])) % 180
  assert min(found - angle, 180 + angle - found, key=abs) == pytest.approx(0, abs=1.5)
