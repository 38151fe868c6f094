import inspect

import keras
import numpy as np
import pytest
import tensorflow as tf
from model_checks import check_terms, make_spread, reductions, vae_terms
from prior_kinds import DRAWN_OTHERWISE_BY_XLA, PRIORS
from scipy import stats
from shared_checks import (
  check_compiled_step,
  compiled,
  half_precision,
  tiny_data,
  tiny_networks,
)

from disentangle_tf import losses, models, networks, priors
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")


def _make(**options):
  keras.utils.set_random_seed(0)
  options = {"standardisation": tiny_data().standardisation(), **options}
  return models.VAE(*tiny_networks(), options.pop("loss", losses.MSE()), **options)


def _images(count=16):
  return Batches(tiny_data(), batch_size=count).make(0)


def test_divergence_is_the_closed_form_and_the_monte_carlo_mean():
  model = _make()
  posterior = model.encode(_images(4))
  mean, variance = posterior.mean().numpy(), posterior.variance().numpy()
  divergence = model.divergence(posterior, posterior.mean()).numpy()
  closed = 0.5 * (mean**2 + variance - 1 - np.log(variance))
  np.testing.assert_allclose(divergence, closed, atol=1e-5)
  codes = posterior.sample(200_000, seed=SEED)
  ratio = posterior.log_prob(codes) - model.prior.distribution.log_prob(codes)
  error = 5 * tf.math.reduce_std(ratio, 0).numpy() / np.sqrt(200_000)
  assert (np.abs(tf.reduce_mean(ratio, 0) - divergence) < error + 1e-5).all()


def test_samples_are_those_of_the_posterior():
  model = _make()
  posterior = model.encode(tf.repeat(_images(1), 20_000, axis=0))
  codes = model.sample(posterior, SEED).numpy()
  for latent in range(3):
    loc, scale = posterior.loc[0, latent], posterior.scale[0, latent]
    p_value = stats.kstest(codes[:, latent], "norm", args=(loc, scale)).pvalue
    assert p_value > 1e-3
  np.testing.assert_array_less(np.abs(np.corrcoef(codes.T) - np.eye(3)), 0.04)


def test_terms_follow_the_definition():
  model = _make()
  images = _images()
  mean, std = model.standardisation
  standardised = (images.numpy() - np.array(mean)) / np.array(std)
  posterior = model.encode(images)
  decoded = model.decode(model.sample(posterior, SEED)).numpy()
  terms = model.loss_terms(images, SEED)
  assert float(terms["reconstruction"]) == pytest.approx(
    np.mean((standardised - decoded) ** 2), rel=1e-5
  )
  assert float(terms["kl"]) == pytest.approx(
    float(tf.reduce_mean(model.divergence(posterior, posterior.mean()))), rel=1e-6
  )


def test_sum_and_mean_reductions_differ_by_their_counts():
  by_mean = _make().loss_terms(_images(), SEED)
  by_sum = _make(reduction="sum").loss_terms(_images(), SEED)
  assert float(by_sum["reconstruction"]) == pytest.approx(
    8 * 8 * 2 * float(by_mean["reconstruction"]), rel=1e-5
  )
  assert float(by_sum["kl"]) == pytest.approx(3 * float(by_mean["kl"]), rel=1e-5)


def test_noise_follows_from_seed_and_step():
  images = _images()

  def losses_of(seed, steps=2):
    model = compiled(_make())
    model.seed = seed
    return [float(model.train_step(images)["loss"]) for _ in range(steps)]

  assert losses_of(1) == losses_of(1)
  assert losses_of(1)[0] != losses_of(2)[0]


def test_reconstructions_are_images_again():
  data = tiny_data()
  model = _make()
  decoded = model.decode_images(np.zeros((2, 3), np.float32)).numpy()
  mean, std = data.standardisation()
  raw = model.decode(np.zeros((2, 3), np.float32)).numpy()
  np.testing.assert_allclose(decoded, np.clip(raw * std + mean, 0, 1), atol=1e-6)
  bernoulli = _make(loss=losses.Bernoulli()).decode_images(np.zeros((2, 3), np.float32))
  np.testing.assert_allclose(bernoulli, 0.5, atol=0.1)


def test_learns_under_mixed_precision():
  with half_precision("mixed_bfloat16"):
    model = compiled(_make())
    batches = Batches(tiny_data(), batch_size=64)
    first = model.evaluate(batches.dataset(0, 1), verbose=0, return_dict=True)["loss"]
    model.fit(batches.dataset(0, 100), verbose=0, shuffle=False)
    last = model.evaluate(batches.dataset(0, 1), verbose=0, return_dict=True)["loss"]
  assert last < 0.95 * first


def test_networks_that_do_not_fit_each_other():
  encoder, decoder = tiny_networks()
  other = networks.mlp_decoder((8, 8, 2), latents=4, units=(4,))
  with pytest.raises(UserError, match="must give 8"):
    models.VAE(encoder, other, losses.MSE())
  other = networks.mlp_decoder((8, 8, 1), latents=3, units=(4,))
  with pytest.raises(UserError, match="same"):
    models.VAE(encoder, other, losses.MSE())
  with pytest.raises(UserError, match="reduction"):
    models.VAE(encoder, decoder, losses.MSE(), reduction="max")


@pytest.mark.parametrize(
  ("options", "message"),
  [
    ({"prior": "student"}, "VAE.prior is 'student': it must be a Prior such as"),
    ({"supervision": 3}, "VAE.supervision is 3: it must be a SupervisedLoss"),
    ({"loss": "mse"}, "VAE.reconstruction is 'mse': it must be a ReconstructionLoss"),
  ],
)
def test_parts_of_the_wrong_kind(options, message):
  with pytest.raises(UserError, match=message):
    _make(**options)


def test_a_prior_must_fit_and_is_learned_with_the_model():
  with pytest.raises(UserError, match="the model has 3 latents: they must agree"):
    _make(prior=priors.AnisotropicNormal([2.0, 1.0]))
  model = _make(prior=priors.AnisotropicNormal([3.0, 2.0, 1.0], learned=True))
  (scales,) = model.prior.variables
  assert any(variable is scales for variable in model.trainable_variables)


def test_a_subclass_shows_its_parents_arguments_and_takes_no_others():
  parameters = inspect.signature(models.AdaGVAE.__init__).parameters
  assert list(parameters)[:4] == ["self", "encoder", "decoder", "reconstruction"]
  assert {"beta", "prior", "reduction", "standardisation", "ratio"} < set(parameters)
  assert all(p.kind is not p.VAR_KEYWORD for p in parameters.values())
  with pytest.raises(TypeError, match="bta"):
    models.BetaVAE(*tiny_networks(), losses.MSE(), beta=1.0, bta=2.0)


@reductions
def test_every_term_is_that_of_the_formula(reduction):
  model = make_spread(models.VAE, reduction=reduction)
  check_terms(model, vae_terms(model)[0])


@pytest.mark.parametrize(
  "prior",
  [  # the others are in every `DecompositionVAE`, too
    pytest.param(name, marks=[pytest.mark.slow] * (name not in DRAWN_OTHERWISE_BY_XLA))
    for name in PRIORS
  ],
)
def test_a_compiled_step_is_the_same_with_every_prior(prior):
  check_compiled_step(lambda: _make(prior=PRIORS[prior]()), _images())
