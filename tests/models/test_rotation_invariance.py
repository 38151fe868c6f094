"""The beta-VAE objective under rotations of the latents.

Mathieu et al. 2019, Theorem 2: with an isotropic normal prior it does not change when
the encoder gives R mean and the decoder takes R^T z. Posteriors here have one variance
for all latents of a point, because then, and only then, they stay diagonal.
"""

import keras
import numpy as np
import pytest
import tensorflow_probability as tfp
from keras import layers
from scipy import stats

from disentangle_tf import losses, models, priors
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")
LATENTS = 3
ROTATION = stats.special_ortho_group.rvs(LATENTS, random_state=0).astype(np.float32)
POINTS = np.random.default_rng(0).normal(size=(2000, 6)).astype(np.float32)
ANISOTROPIC = priors.AnisotropicNormal([3.0, 2.0, 1.0])


class TurnedNoise(models.BetaVAE):
  """Rotates the noise along with the latents, so that losses agree draw by draw."""

  def sample(self, posterior, seed):
    noise = super().sample(posterior, seed) - posterior.loc
    return posterior.loc + noise @ ROTATION.T


def _model(cls, rotation, prior, beta=4.0):
  """The same weights each time, but for the rotation."""
  keras.utils.set_random_seed(0)
  points = keras.Input(POINTS.shape[1:])
  features = layers.Dense(16, activation="tanh")(points)
  # Means far out and uneven, for a prior with axes to have something to prefer.
  mean = layers.Dense(LATENTS)(features) * np.float32([3.0, 1.0, 0.3])
  log_variance = layers.Dense(1)(features)
  outputs = layers.Concatenate()(
    [keras.ops.matmul(mean, rotation.T), *[log_variance] * LATENTS]
  )
  codes = keras.Input((LATENTS,))
  features = layers.Dense(16, activation="tanh")(keras.ops.matmul(codes, rotation))
  decoder = keras.Model(codes, layers.Dense(POINTS.shape[1])(features))
  return cls(
    keras.Model(points, outputs),
    decoder,
    losses.Normal(learned=False),
    prior=prior,
    beta=beta,
    reduction="sum",
  )


def _plain_and_turned(prior):
  plain = _model(models.BetaVAE, np.eye(LATENTS, dtype=np.float32), prior)
  return plain, _model(TurnedNoise, ROTATION, prior)


def _terms(prior):
  return [model.loss_terms(POINTS, SEED) for model in _plain_and_turned(prior)]


def _kl(mean, covariance, prior_covariance):
  """KL(N(mean, covariance) || N(0, prior_covariance)), [points]."""
  precision = np.linalg.inv(prior_covariance)
  return 0.5 * (
    np.trace(precision @ covariance, axis1=-2, axis2=-1)
    + np.einsum("ni,ij,nj->n", mean, precision, mean)
    - mean.shape[1]
    + np.linalg.slogdet(prior_covariance)[1]
    - np.linalg.slogdet(covariance)[1]
  )


def test_the_objective_is_invariant_under_the_isotropic_prior():
  plain, turned = _terms(priors.IsotropicNormal())
  assert plain.keys() == turned.keys() == {"reconstruction", "kl"}
  for name in plain:
    assert float(turned[name]) == pytest.approx(float(plain[name]), rel=1e-5)


@pytest.mark.parametrize(
  "prior",
  [ANISOTROPIC, priors.StudentT(3), priors.SparseMixture(0.5, off_scale=0.3)],
  ids=lambda prior: type(prior).__name__,
)
def test_priors_with_axes_break_the_invariance(prior):
  plain, turned = _terms(prior)
  assert float(turned["reconstruction"]) == pytest.approx(
    float(plain["reconstruction"]), rel=1e-5
  )
  assert abs(float(turned["kl"]) - float(plain["kl"])) > 0.05 * float(plain["kl"])


def test_the_expected_reconstruction_does_not_need_the_same_noise():
  prior = priors.IsotropicNormal()
  points = np.repeat(POINTS[:1], 20_000, axis=0)
  each = []
  for rotation, stream in ((np.eye(LATENTS, dtype=np.float32), "a"), (ROTATION, "b")):
    model = _model(models.BetaVAE, rotation, prior)
    codes = model.sample(model.encode(points), stream_seed(0, stream))
    losses_ = model.reconstruction(points, model.decode(codes))
    each.append(np.sum(losses_, axis=1))
  error = np.hypot(*[np.std(loss) / np.sqrt(len(points)) for loss in each])
  assert abs(np.mean(each[0]) - np.mean(each[1])) < 4 * error
  assert np.std(each[0]) > 0.1


def test_posteriors_of_any_covariance():
  """By the closed form: a rotated posterior, now correlated, is as far from N(0, I)."""
  rng = np.random.default_rng(1)
  mean = rng.normal(size=(50, LATENTS))
  scales = rng.uniform(0.2, 1.5, (50, LATENTS))
  turned_mean = mean @ ROTATION.T
  covariance = scales[:, None] ** 2 * np.eye(LATENTS)
  turned_covariance = ROTATION @ covariance @ ROTATION.T
  posterior = tfp.distributions.Normal(np.float32(mean), np.float32(scales))

  def divergence(prior):
    return np.sum(prior.divergence(posterior, posterior.mean()), axis=1)

  isotropic = _kl(turned_mean, turned_covariance, np.eye(LATENTS))
  np.testing.assert_allclose(
    divergence(priors.IsotropicNormal()), isotropic, rtol=1e-4, atol=1e-4
  )
  axes = np.diag(ANISOTROPIC.distribution.scale.numpy().astype(float) ** 2)
  np.testing.assert_allclose(
    divergence(ANISOTROPIC), _kl(mean, covariance, axes), rtol=1e-4, atol=1e-4
  )
  turned = _kl(turned_mean, turned_covariance, axes)
  assert np.abs(turned - divergence(ANISOTROPIC)).mean() > 0.1
  assert np.abs(turned_covariance[:, 0, 1]).mean() > 0.1  # no longer diagonal
