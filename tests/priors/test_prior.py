"""What every prior promises; each one's own tests stand beside this file."""

import keras
import numpy as np
import pytest
import tensorflow as tf
import tensorflow_probability as tfp
from prior_kinds import DRAWN_OTHERWISE_BY_XLA, PRIORS
from scipy import stats

from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

tfd = tfp.distributions
SEED = stream_seed(0, "test")
RNG = np.random.default_rng(0)
MEANS = RNG.normal(size=(4, 3)).astype(np.float32)
SCALES = RNG.uniform(0.3, 1.5, (4, 3)).astype(np.float32)
POSTERIOR = tfd.Normal(MEANS, SCALES)

IN_CLOSED_FORM = {"isotropic", "anisotropic", "learned", "correlated", "independent"}


@pytest.mark.parametrize("name", PRIORS)
def test_divergence_is_the_monte_carlo_mean(name):
  prior = PRIORS[name]()
  draws = RNG.normal(MEANS, SCALES, (100_000, *MEANS.shape)).astype(np.float32)
  ratio = tf.reduce_sum(POSTERIOR.log_prob(draws), -1) - prior.log_prob(draws)
  truth, error = np.mean(ratio, 0), np.std(ratio, 0) / np.sqrt(len(draws))
  if name in IN_CLOSED_FORM:
    nowhere = np.full_like(MEANS, np.nan)  # a closed form does not look at the codes
    total = tf.reduce_sum(prior.divergence(POSTERIOR, nowhere), axis=1)
  else:
    every = tfd.Normal(np.tile(MEANS, (5000, 1)), np.tile(SCALES, (5000, 1)))
    each = prior.divergence(every, draws[:5000].reshape(-1, 3))
    total = np.mean(np.sum(each, axis=1).reshape(5000, 4), axis=0)
    error = error * np.sqrt(len(draws) / 5000)
  assert (np.abs(total - truth) < 5 * error + 1e-4).all()
  assert prior.divergence(POSTERIOR, MEANS).shape == (4, 3)


@pytest.mark.parametrize("name", sorted(set(PRIORS) - DRAWN_OTHERWISE_BY_XLA))
def test_samples_are_the_priors_and_xla_does_not_change_them(name):
  prior = PRIORS[name]()
  codes = prior.sample(4000, 3, SEED)
  assert codes.shape == (4000, 3)
  if name != "laplace":
    compiled = tf.function(lambda: prior.sample(4000, 3, SEED), jit_compile=True)()
    np.testing.assert_allclose(codes, compiled, atol=2e-4, rtol=1e-4)
  reference = prior.distribution.sample(
    [4000, 3] if name not in ("mixture", "anisotropic", "learned") else [4000], seed=1
  )
  for latent in range(3):
    assert stats.ks_2samp(codes[:, latent], reference[:, latent]).pvalue > 1e-3
  assert (
    np.abs(np.corrcoef(codes.numpy().T) - np.corrcoef(reference.numpy().T)) < 0.15
  ).all()


@pytest.mark.parametrize("name", PRIORS)
def test_round_trip(name):
  config = keras.saving.serialize_keras_object(PRIORS[name]())
  again = keras.saving.deserialize_keras_object(config)
  np.testing.assert_allclose(again.log_prob(MEANS), PRIORS[name]().log_prob(MEANS))


def test_a_prior_of_whole_codes_has_no_divergence_per_latent_but_equal_shares():
  shares = PRIORS["correlated"]().divergence(POSTERIOR, MEANS).numpy()
  np.testing.assert_array_equal(shares, np.repeat(shares[:, :1], 3, axis=1))
  apart = PRIORS["isotropic"]().divergence(POSTERIOR, MEANS).numpy()
  assert (apart[:, 0] != apart[:, 1]).all()


def test_priors_know_how_many_latents_they_are_for():
  for name in ("isotropic", "student_t", "sparse", "laplace"):
    PRIORS[name]().check_latents(7)
  for name in ("anisotropic", "mixture", "correlated", "independent"):
    PRIORS[name]().check_latents(3)
    with pytest.raises(UserError, match=r"shape \[3\], the model has 7 latents"):
      PRIORS[name]().check_latents(7)


@pytest.mark.parametrize("name", PRIORS)
def test_only_what_is_learned_is_a_variable_and_is_kept(name):
  assert len(PRIORS[name]().variables) == (name == "learned")
  trained = PRIORS[name]().as_trained()
  assert not trained.variables
  np.testing.assert_allclose(
    trained.log_prob(MEANS), PRIORS[name]().log_prob(MEANS), rtol=1e-5
  )
