"""Permutation contrastive learning against sources and odds that are known."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from model_checks import LATENTS, PAIR, SEED, SIZE, check_terms, posterior_of, spread
from scipy.optimize import linear_sum_assignment
from shared_checks import compiled, tiny_data, tiny_networks

from disentangle_tf import models, networks
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import (
  random_integers,
  random_order,
  split_seed,
  stream_seed,
)

RHO = 0.7  # the autocorrelation, as in Hyvarinen & Morioka 2017
INNOVATION = np.sqrt((1 - RHO**2) / 2)  # Laplace scale, for sources of variance 1
BATCH = 512


def _sources(count, size, seed=0):
  """s_t = rho s_{t-1} + Laplace noise: [count, size]."""
  innovations = np.random.default_rng(seed).laplace(0, INNOVATION, (count, size))
  sources = np.zeros((count, size))
  for t in range(1, count):
    sources[t] = RHO * sources[t - 1] + innovations[t]
  return sources


def _mix(sources, *, layers, seed=0):
  """Well-conditioned random matrices with leaky ReLUs (0.2) between them."""
  rng = np.random.default_rng(seed)
  size = sources.shape[1]
  for layer in range(layers):
    matrices = rng.uniform(-1, 1, (100, size, size))
    matrices /= np.linalg.norm(matrices, axis=1, keepdims=True)
    sources = sources @ matrices[np.linalg.cond(matrices).argmin()].T
    if layer < layers - 1:
      sources = np.where(sources < 0, 0.2 * sources, sources)
  return ((sources - sources.mean(0)) / sources.std(0)).astype(np.float32)


def _model(size, units=()):
  keras.utils.set_random_seed(0)
  encoder = networks.mlp_encoder(
    (size,), latents=size, units=units, activation="leaky_relu"
  )
  return models.PCL(encoder, latents=size)


def _train(model, points, *, steps, rate=0.02):
  compiled(
    model,
    keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(rate, steps)),
  )

  @tf.function
  def train():
    for step in tf.range(steps):
      seed = stream_seed(0, "test", step)
      t = random_integers([BATCH], seed, len(points) - 1)
      model.train_step((tf.gather(points, t), tf.gather(points, t + 1)))

  train()


def _correlations(codes, sources):
  """|correlation| of each source with its code, under the best matching."""
  size = sources.shape[1]
  table = np.abs(np.corrcoef(codes.T, sources.T)[:size, size:])
  return table[linear_sum_assignment(-table)]


def _loss(model, points):
  return float(model.test_step((points[:-1], points[1:]))["contrast"])


def _bayes_loss(sources):
  """The least possible loss: that of the true odds p(s_t | s_{t-1}) / p(s_t)."""
  grid = np.linspace(-15, 15, 3001)
  laplace = np.exp(-np.abs(grid) / INNOVATION) / (2 * INNOVATION)
  density = laplace
  for _ in range(40):  # the stationary density is the one that a step does not change
    shrunk = np.interp(grid / RHO, grid, density)
    density = np.convolve(shrunk, laplace, "same")
    density /= density.sum() * (grid[1] - grid[0])

  def log_odds(before, after):
    step = -np.abs(after - RHO * before) / INNOVATION - np.log(2 * INNOVATION)
    return np.sum(step - np.log(np.interp(after, grid, density)), axis=1)

  before, after = sources[:-1], sources[1:]
  shuffled = np.random.default_rng(0).permutation(after)
  return 0.5 * np.mean(
    np.logaddexp(0, -log_odds(before, after))
    + np.logaddexp(0, log_odds(before, shuffled))
  )


def _check_recovery(*, size, layers, units, steps, seed=0):
  sources = _sources(20_000, size, seed)
  points = _mix(sources, layers=layers, seed=seed)
  model = _model(size, units)
  _train(model, points, steps=steps)
  correlations = _correlations(model(points).numpy(), sources)
  assert correlations.mean() > 0.98
  # The odds themselves are learnt: close to the best, and with the true rho.
  assert _loss(model, points) < _bayes_loss(sources) + 0.02
  assert (np.abs(-model.b / model.a - RHO) < 0.1).all()


def test_recovers_sources_from_a_linear_mixture():
  _check_recovery(size=4, layers=1, units=(), steps=1000)


def test_recovers_sources_from_a_nonlinear_mixture():
  _check_recovery(size=3, layers=2, units=(16,), steps=1500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_recovers_more_sources_from_a_nonlinear_mixture(seed):
  _check_recovery(size=4, layers=2, units=(16,), steps=4000, seed=seed)


def test_score_follows_its_formula():
  model = _model(3)
  rng = np.random.default_rng(0)
  a, b, c, before, after = rng.normal(size=(5, 3)).astype(np.float32)
  for variable, value in ((model.a, a), (model.b, b), (model.c, c), (model.d, 0.3)):
    variable.assign(value)
  expected = -np.abs(a * after + b * before + c).sum() + (after**2).sum() + 0.3
  score = model.score(before[None], after[None])
  np.testing.assert_allclose(score, [expected], rtol=1e-5)


def test_contrast_is_the_logistic_loss_of_pairs_in_and_out_of_order():
  """Over all permutations, a pair out of order is any pair of the batch."""
  model = _model(3)
  points = _mix(_sources(41, 3), layers=1)
  before, after = points[:-1], points[1:]
  codes, successors = model(before).numpy(), model(after).numpy()
  steps = np.abs(successors - codes[:, None])  # a = 1, b = -1, c = d = 0 at first
  scores = np.sum(successors**2 - steps, axis=2)
  in_order = np.logaddexp(0, -np.diagonal(scores)).mean()
  expected = 0.5 * (in_order + np.logaddexp(0, scores).mean())
  measure = tf.function(lambda seed: model.loss_terms((before, after), seed))
  measured = [
    float(measure(stream_seed(0, "test", step))["contrast"]) for step in range(100)
  ]
  error = np.std(measured) / np.sqrt(len(measured))
  assert abs(np.mean(measured) - expected) < 4 * error


def test_loss_is_that_of_chance_where_nothing_can_be_known():
  points = _mix(_sources(1000, 3), layers=1)
  model = _model(3)
  model.encoder.get_layer("mean").kernel.assign(np.zeros((3, 3)))
  assert _loss(model, points) == pytest.approx(np.log(2), rel=1e-6)
  # Out of order on both sides: nothing does better.
  model = _model(3)
  order = np.random.default_rng(0).permutation(len(points))
  _train(model, points[order], steps=300)
  assert _loss(model, points[order]) > np.log(2) - 0.02


def test_has_an_encoder_and_nothing_to_decode_with():
  model = _model(3)
  assert model.decoder is None and model.reconstruction is None and model.prior is None
  assert not hasattr(model, "decode")
  posterior = model.encode(np.ones((2, 3)))
  np.testing.assert_allclose(posterior.mean(), model(np.ones((2, 3))), atol=1e-6)
  np.testing.assert_array_equal(posterior.variance(), np.zeros((2, 3)))


def test_learns_from_pairs():
  points = np.ones((4, 3), np.float32)
  with pytest.raises(UserError, match="PCL learns from pairs"):
    _model(3).check_batch(points)
  _model(3).check_batch((points, points))


def test_called_it_encodes_as_it_is():
  points = keras.Input((3,))
  norm = keras.layers.BatchNormalization()
  encoder = keras.Model(points, keras.layers.Dense(3)(norm(points)))
  model = models.PCL(encoder, latents=3)
  model(np.ones((4, 3), np.float32))
  np.testing.assert_array_equal(norm.moving_mean, np.zeros(3))
  model(np.ones((4, 3), np.float32), training=True)
  assert np.abs(norm.moving_mean).max() > 0


@pytest.mark.parametrize("latents", [3, 6])
def test_takes_encoders_with_and_without_log_variances(latents):
  encoder, _ = tiny_networks(latents=3)  # 6 values per image
  assert models.PCL(encoder, latents=latents).latents == latents


@pytest.mark.parametrize(
  ("latents", "message"),
  [
    (4, "gives 6 values per image: PCL with 4 latents needs 4, or 8 with"),
    (0, "PCL.latents is 0"),
    (2.5, "PCL.latents is 2.5"),
  ],
)
def test_bad_latents(latents, message):
  with pytest.raises(UserError, match=message):
    models.PCL(tiny_networks(latents=3)[0], latents=latents)


def test_the_contrast_is_that_of_the_formula():
  keras.utils.set_random_seed(0)
  model = compiled(
    models.PCL(
      tiny_networks()[0],
      latents=LATENTS,
      standardisation=tiny_data().standardisation(),
    )
  )
  spread(model)
  rng = np.random.default_rng(0)
  a, b, c = rng.normal(size=(3, LATENTS))
  for variable, value in ((model.a, a), (model.b, b), (model.c, c), (model.d, 0.3)):
    variable.assign(value)
  codes, successors = (posterior_of(model, images)[0] for images in PAIR)

  def score(after):
    return (after**2 - np.abs(a * after + b * codes + c)).sum(axis=1) + 0.3

  order = np.asarray(random_order([SIZE], split_seed(SEED, "permutation")))
  in_order = np.logaddexp(0, -score(successors))
  out_of_order = np.logaddexp(0, score(successors[order]))
  check_terms(model, {"contrast": 0.5 * (in_order + out_of_order).mean()}, PAIR)
