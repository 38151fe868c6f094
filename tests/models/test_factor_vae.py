import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from model_checks import (
  IMAGES,
  LATENTS,
  SEED,
  SIZE,
  check_terms,
  make_spread,
  reductions,
  vae_terms,
)
from scipy import special
from shared_checks import (
  assert_same_run,
  compiled,
  tiny_data,
  tiny_model,
  tiny_networks,
)

from disentangle_tf import losses, models, networks, training
from disentangle_tf.data import Batches
from disentangle_tf.errors import UserError
from disentangle_tf.models.factor_vae import shuffle_each_latent
from disentangle_tf.random_streams import stream_seed


def _make(**options):
  keras.utils.set_random_seed(1)
  discriminator = networks.mlp_discriminator(3, units=(64, 64))
  options = {"gamma": 1.0, "discriminator": discriminator, **options}
  return tiny_model(models.FactorVAE, **options)


def test_shuffling_keeps_the_marginals_and_breaks_the_dependence():
  codes = np.repeat(np.arange(4000.0, dtype=np.float32)[:, None], 3, axis=1)
  shuffled = shuffle_each_latent(codes, stream_seed(0, "test")).numpy()
  np.testing.assert_array_equal(np.sort(shuffled, axis=0), codes)
  assert (np.abs(np.corrcoef(shuffled.T) - np.eye(3)) < 0.07).all()


def test_the_density_ratio_finds_the_total_correlation_of_a_gaussian():
  """TC of a Gaussian is -log det(correlation) / 2."""
  optimizer = keras.optimizers.Adam(1e-3)
  model = _make(discriminator_optimizer=optimizer)
  correlation = np.array([[1, 0.7, 0.3], [0.7, 1, 0.5], [0.3, 0.5, 1]])
  truth = -0.5 * np.linalg.slogdet(correlation)[1]
  root = np.linalg.cholesky(correlation).astype(np.float32)

  @tf.function
  def learn(step):
    seed = stream_seed(0, "draws", step)
    codes = tf.random.stateless_normal([1024, 3], seed) @ root.T
    return model.descend(
      lambda: {"d": model.discriminator_loss(codes, seed)},
      model.discriminator_optimizer,
      model.discriminator.trainable_variables,
    )["d"]

  first = float(learn(tf.constant(0)))
  for step in range(1, 1200):
    last = learn(tf.constant(step))
  assert first == pytest.approx(np.log(2), abs=0.1)
  assert float(last) < 0.63
  fresh = np.random.default_rng(0).normal(size=(50_000, 3)).astype(np.float32) @ root.T
  assert float(model.total_correlation(fresh)) == pytest.approx(truth, rel=0.1)


def test_each_side_has_its_own_step():
  images = Batches(tiny_data(), batch_size=16).make(0)
  model = compiled(_make(gamma=0.0))
  plain = compiled(tiny_model(models.VAE))
  before = [w.numpy() for w in model.discriminator.weights]
  logs, expected = model.train_step(images), plain.train_step(images)
  assert "discriminator" in logs
  np.testing.assert_allclose(logs["loss"], expected["loss"], rtol=1e-6)
  for a, b in zip(model.encoder.weights, plain.encoder.weights, strict=True):
    np.testing.assert_allclose(a.numpy(), b.numpy(), atol=1e-7)
  moved = [
    np.abs(a - b.numpy()).max()
    for a, b in zip(before, model.discriminator.weights, strict=True)
  ]
  assert min(moved) > 0
  ours = {id(v) for v in model.discriminator.trainable_variables}
  assert not ours & {id(v) for v in model.trainable_variables}


def test_resumes_with_both_optimisers(tmp_path):
  def run(folder, steps, **options):
    training.train(
      model=_make,
      data=tiny_data(),
      optimizer=lambda: keras.optimizers.Adam(1e-3),
      steps=steps,
      output_dir=tmp_path / folder,
      batch_size=16,
      **options,
    )

  run("whole", 6)
  run("parts", 3)
  run("parts", 6, resume=True)
  assert_same_run(tmp_path / "whole", tmp_path / "parts")


def test_the_discriminator_must_fit():
  with pytest.raises(UserError, match="takes 4 latents, the model has 3"):
    _make(discriminator=networks.mlp_discriminator(4, units=(4,)))


def _small_discriminator():
  keras.utils.set_random_seed(1)
  return networks.mlp_discriminator(LATENTS, units=(8,))


def _logits(model, codes):
  return np.asarray(model.discriminator(codes.astype(np.float32)), np.float64)


@reductions
def test_every_term_is_that_of_the_formula(reduction):
  model = make_spread(
    models.FactorVAE,
    gamma=5.0,
    discriminator=_small_discriminator(),
    reduction=reduction,
  )
  terms, codes, *_ = vae_terms(model)
  logits = _logits(model, codes)
  correlation = (logits[:, 0] - logits[:, 1]).mean()
  check_terms(model, {**terms, "total_correlation": 5.0 * correlation})


def test_the_discriminators_own_loss():
  model = make_spread(models.FactorVAE, gamma=5.0, discriminator=_small_discriminator())
  codes = np.random.default_rng(0).normal(size=(SIZE, LATENTS)).astype(np.float32)
  real = _logits(model, codes)
  shuffled = _logits(model, np.asarray(shuffle_each_latent(codes, SEED)))
  expected = -0.5 * (
    special.log_softmax(real, axis=1)[:, 0].mean()
    + special.log_softmax(shuffled, axis=1)[:, 1].mean()
  )
  assert float(model.discriminator_loss(codes, SEED)) == pytest.approx(expected)


def test_the_discriminators_optimiser_is_the_papers():
  model = make_spread(models.FactorVAE, gamma=1.0, discriminator=_small_discriminator())
  optimizer = model.discriminator_optimizer
  settings = (float(optimizer.learning_rate), optimizer.beta_1, optimizer.beta_2)
  assert settings == pytest.approx((1e-4, 0.5, 0.9))


def _with_batch_normalisation():
  images = keras.Input((8, 8, 2))
  features = keras.layers.Dense(16)(keras.layers.Flatten()(images))
  features = keras.layers.BatchNormalization()(features)
  return keras.Model(images, keras.layers.Dense(2 * LATENTS)(features))


def test_the_discriminator_learns_from_codes_as_in_training():
  """Its step encodes once more, and batch normalisation takes the batch's moments."""

  def make():
    keras.utils.set_random_seed(0)
    return compiled(
      models.FactorVAE(
        _with_batch_normalisation(),
        tiny_networks()[1],
        losses.MSE(),
        gamma=1.0,
        discriminator=_small_discriminator(),
      )
    )

  logged = make().train_step(IMAGES)["discriminator"]
  model = make()
  seed = stream_seed(0, "discriminator", 0)
  models.VAE.train_step(model, IMAGES)  # the first half of the step
  losses_of = functools.partial(model.discriminator_loss, seed=seed)
  expected, wrong = (
    float(losses_of(model.sample(model.encode(IMAGES, training=training), seed)))
    for training in (True, False)
  )
  assert abs(expected - wrong) > 1e-3
  assert float(logged) == pytest.approx(expected, rel=1e-4)


def test_the_discriminators_own_layers_learn_in_its_step_alone():
  codes = keras.Input((LATENTS,))
  features = keras.layers.BatchNormalization(name="norm")(codes)
  discriminator = keras.Model(codes, keras.layers.Dense(2)(features))
  model = make_spread(models.FactorVAE, gamma=1.0, discriminator=discriminator)
  moving = discriminator.get_layer("norm").moving_mean
  model.loss_terms(IMAGES, SEED, training=True)
  model.discriminator_loss(np.ones((4, LATENTS), np.float32), SEED)
  np.testing.assert_array_equal(moving, np.zeros(LATENTS))
  model.train_step(IMAGES)
  assert np.abs(moving).max() > 0
