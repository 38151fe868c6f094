"""The whole loss of every model, term by term, against the papers' formulas in NumPy.

TensorFlow gives what the networks make of the images and the uniform numbers behind the
noise; all else is computed here once more.
"""

import functools

import keras
import numpy as np
import pytest
import tensorflow as tf
from scipy import special, stats
from shared_checks import compiled, tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, models, networks, priors, schedules, supervision
from disentangle_tf.data import Batches, draw_temporal_pairs
from disentangle_tf.models.factor_vae import shuffle_each_latent
from disentangle_tf.random_streams import (
  random_order,
  random_uniform,
  split_seed,
  stream_seed,
)

SEED = stream_seed(0, "test")
SIZE, LATENTS, PIXELS = 12, 3, 8 * 8 * 2
PAIR = Batches(tiny_data(), batch_size=SIZE, draw=draw_temporal_pairs).make(0)
IMAGES = PAIR[0]
reductions = pytest.mark.parametrize("reduction", ["sum", "mean"])


def _make(cls, **options):
  """A model whose posteriors are far from the prior, and from each other."""
  model = compiled(tiny_model(cls, **options))
  _spread(model)
  return model


def _spread(model):
  rng = np.random.default_rng(0)
  for name in ("mean", "log_variance"):
    kernel, bias = model.encoder.get_layer(name).weights
    kernel.assign(1.5 * np.asarray(kernel))
    bias.assign(rng.normal(0, 0.3, bias.shape))


def _posterior(model, images):
  """(means, scales) in float64."""
  mean, std = model.standardisation
  values = model.encoder((np.asarray(images) - np.array(mean)) / np.array(std))
  means, log_variances = np.split(np.asarray(values, np.float64), 2, axis=1)
  return means, np.exp(0.5 * log_variances)


def _draw(means, scales, seed):
  uniform = np.asarray(random_uniform(means.shape, seed), np.float64)
  return means + scales * stats.norm.ppf(uniform)


def _squared_error(model, images, codes):
  """Summed over pixels, averaged over the batch; of standardised images."""
  mean, std = model.standardisation
  targets = (np.asarray(images, np.float64) - np.array(mean)) / np.array(std)
  decoded = np.asarray(model.decoder(codes.astype(np.float32)), np.float64)
  return ((targets - decoded) ** 2).sum(axis=(1, 2, 3)).mean()


def _kl(means, scales):
  """From the standard normal: [batch, latents]."""
  return 0.5 * (means**2 + scales**2 - 1) - np.log(scales)


def _vae_terms(model, images=IMAGES, seed=SEED, posterior=None):
  """({reconstruction, kl} under the sum reduction, codes, means, scales)."""
  means, scales = posterior or _posterior(model, images)
  codes = _draw(means, scales, seed)
  terms = {
    "reconstruction": _squared_error(model, images, codes),
    "kl": _kl(means, scales).sum(axis=1).mean(),
  }
  return terms, codes, means, scales


def _check(model, expected, batch=IMAGES, *, rtol=1e-4):
  """`expected` are sums over pixels and latents."""
  counts = {"reconstruction": PIXELS, "supervised": 1, "contrast": 1}
  if getattr(model, "reduction", "sum") == "mean":
    expected = {k: value / counts.get(k, LATENTS) for k, value in expected.items()}
  found = model.loss_terms(batch, SEED)
  assert set(found) == set(expected)
  for name, value in expected.items():
    assert abs(value) > 1e-3  # a term that is nothing would not be tested
    assert float(found[name]) == pytest.approx(value, rel=rtol), name
  logged = model.test_step(batch)
  np.testing.assert_allclose(
    logged["loss"], sum(float(logged[name]) for name in expected), rtol=1e-5
  )


@reductions
def test_ae(reduction):
  model = _make(models.AE, reduction=reduction)
  means, _ = _posterior(model, IMAGES)
  _check(model, {"reconstruction": _squared_error(model, IMAGES, means)})


@reductions
def test_vae(reduction):
  model = _make(models.VAE, reduction=reduction)
  _check(model, _vae_terms(model)[0])


@reductions
def test_beta_vae(reduction):
  model = _make(models.BetaVAE, beta=3.5, reduction=reduction)
  terms, *_ = _vae_terms(model)
  _check(model, {**terms, "kl": 3.5 * terms["kl"]})


def test_a_beta_that_grows():
  model = _make(
    models.BetaVAE, beta=schedules.Linear(1.0, 5.0, steps=8), reduction="sum"
  )
  model.optimizer.iterations.assign(2)
  terms, *_ = _vae_terms(model)
  _check(model, {**terms, "kl": 2.0 * terms["kl"]})


@reductions
@pytest.mark.parametrize("per_image", [False, True])
def test_annealed_vae(reduction, per_image):
  options = {"gamma": 7.0, "c_max": 20.0, "iteration_threshold": 100}
  model = _make(models.AnnealedVAE, per_image=per_image, reduction=reduction, **options)
  model.optimizer.iterations.assign(40)
  terms, _, means, scales = _vae_terms(model)
  each = _kl(means, scales).sum(axis=1)
  capacity = 20.0 * 40 / 100
  assert each.min() < capacity < each.max()  # where the two formulas differ
  apart = np.abs(each - capacity).mean() if per_image else abs(each.mean() - capacity)
  assert np.abs(each - capacity).mean() > 1.2 * abs(each.mean() - capacity)
  _check(model, {"reconstruction": terms["reconstruction"], "capacity": 7.0 * apart})


def _total_correlation(codes, means, scales, log_weights):
  each = stats.norm.logpdf(codes[:, None], means[None], scales[None])
  joint = special.logsumexp(each.sum(axis=2) + log_weights, axis=1)
  marginals = special.logsumexp(each + log_weights[:, :, None], axis=1)
  return np.mean(joint - marginals.sum(axis=1))


def _log_weights(estimator, num_points):
  if estimator == "weighted":
    constant = 1.0 if num_points is None else 1 / (num_points * SIZE)
    return np.full((SIZE, SIZE), np.log(constant))
  others = (num_points - 1) / (num_points * (SIZE - 1))
  weights = np.where(np.eye(SIZE, dtype=bool), 1 / num_points, others)
  return np.log(weights)


@reductions
@pytest.mark.parametrize(
  ("estimator", "num_points"),
  [("weighted", None), ("weighted", 256), ("stratified", 256), ("stratified", SIZE)],
)
def test_beta_tcvae(reduction, estimator, num_points):
  model = _make(
    models.BetaTCVAE,
    beta=4.0,
    estimator=estimator,
    num_points=num_points,
    reduction=reduction,
  )
  terms, codes, means, scales = _vae_terms(model)
  correlation = _total_correlation(
    codes, means, scales, _log_weights(estimator, num_points)
  )
  _check(model, {**terms, "total_correlation": (4.0 - 1.0) * correlation}, rtol=1e-3)


def _discriminator():
  keras.utils.set_random_seed(1)
  return networks.mlp_discriminator(LATENTS, units=(8,))


def _logits(model, codes):
  return np.asarray(model.discriminator(codes.astype(np.float32)), np.float64)


@reductions
def test_factor_vae(reduction):
  model = _make(
    models.FactorVAE, gamma=5.0, discriminator=_discriminator(), reduction=reduction
  )
  terms, codes, *_ = _vae_terms(model)
  logits = _logits(model, codes)
  correlation = (logits[:, 0] - logits[:, 1]).mean()
  _check(model, {**terms, "total_correlation": 5.0 * correlation})


def test_the_discriminators_own_loss():
  model = _make(models.FactorVAE, gamma=5.0, discriminator=_discriminator())
  codes = np.random.default_rng(0).normal(size=(SIZE, LATENTS)).astype(np.float32)
  real = _logits(model, codes)
  shuffled = _logits(model, np.asarray(shuffle_each_latent(codes, SEED)))
  expected = -0.5 * (
    special.log_softmax(real, axis=1)[:, 0].mean()
    + special.log_softmax(shuffled, axis=1)[:, 1].mean()
  )
  assert float(model.discriminator_loss(codes, SEED)) == pytest.approx(expected)


def _mmd(codes, drawn, *, scales, per_latent):
  """The unbiased estimate, one pair of codes at a time."""

  def kernel(a, b):
    squared = (a - b) ** 2 if per_latent else np.sum((a - b) ** 2)
    return np.sum([2 * s / (2 * s + squared) for s in scales])

  places = [(i, j) for i in range(SIZE) for j in range(SIZE)]
  within = [
    np.mean([kernel(x[i], x[j]) for i, j in places if i != j]) for x in (codes, drawn)
  ]
  between = np.mean([kernel(codes[i], drawn[j]) for i, j in places])
  return sum(within) - 2 * between


@reductions
@pytest.mark.parametrize("per_latent", [False, True])
def test_decomposition_vae_with_mmd(reduction, per_latent):
  scales = (0.5, 2.0)
  model = _make(
    models.DecompositionVAE,
    alpha=10.0,
    beta=0.5,
    aggregate_divergence=losses.MMD(scales=scales, per_latent=per_latent),
    reduction=reduction,
  )
  terms, codes, *_ = _vae_terms(model)
  drawn = stats.norm.ppf(random_uniform(codes.shape, split_seed(SEED, "prior")))
  apart = _mmd(codes, drawn, scales=scales, per_latent=per_latent)
  expected = {**terms, "kl": 0.5 * terms["kl"], "aggregate": 10.0 * apart}
  _check(model, expected, rtol=1e-3)


@reductions
def test_decomposition_vae_with_the_inclusive_kl(reduction):
  model = _make(
    models.DecompositionVAE,
    alpha=2.0,
    beta=0.5,
    aggregate_divergence=losses.InclusiveKL(),
    prior=priors.AnisotropicNormal([2.0, 1.0, 0.5]),
    reduction=reduction,
  )
  terms, _, means, scales = _vae_terms(model)
  wide = np.array([2.0, 1.0, 0.5]) / 3.5 * LATENTS
  closed = _kl(means / wide, scales / wide).sum(axis=1).mean()
  drawn = wide * stats.norm.ppf(random_uniform(means.shape, split_seed(SEED, "prior")))
  log_prior = stats.norm.logpdf(drawn, 0, wide).sum(axis=1)
  each = stats.norm.logpdf(drawn[:, None], means[None], scales[None]).sum(axis=2)
  log_aggregate = special.logsumexp(each, axis=1) - np.log(SIZE)
  expected = {
    "reconstruction": terms["reconstruction"],
    "kl": 0.5 * closed,
    "aggregate": 2.0 * np.mean(log_prior - log_aggregate),
  }
  _check(model, expected, rtol=1e-3)


@reductions
@pytest.mark.parametrize(
  ("dip_type", "lambda_d", "expected_d"),
  [("i", None, 20.0), ("ii", None, 2.0), ("i", 3.0, 3.0), ("ii", 3.0, 3.0)],
)
def test_dip_vae(reduction, dip_type, lambda_d, expected_d):
  options = {"lambda_od": 2.0, "lambda_d": lambda_d, "dip_type": dip_type}
  model = _make(models.DIPVAE, reduction=reduction, **options)
  terms, _, means, scales = _vae_terms(model)
  covariance = np.cov(means.T, bias=True)
  if dip_type == "ii":
    covariance = covariance + np.diag((scales**2).mean(axis=0))
  off_diagonal = covariance[~np.eye(LATENTS, dtype=bool)]
  _check(
    model,
    {
      **terms,
      "off_diagonal": 2.0 * (off_diagonal**2).sum(),
      "diagonal": expected_d * ((np.diag(covariance) - 1) ** 2).sum(),
    },
    rtol=1e-3,
  )


def _pair_terms(model, posteriors, beta=1.0):
  """The mean of both images' terms."""
  each = [
    _vae_terms(model, images, split_seed(SEED, place), posterior)[0]
    for images, place, posterior in zip(
      PAIR, ("first", "second"), posteriors, strict=True
    )
  ]
  return {
    "reconstruction": 0.5 * sum(terms["reconstruction"] for terms in each),
    "kl": beta * 0.5 * sum(terms["kl"] for terms in each),
  }


def _average(first, second):
  """Mean of means, mean of variances."""
  variance = 0.5 * (first[1] ** 2 + second[1] ** 2)
  return 0.5 * (first[0] + second[0]), np.sqrt(variance)


def _product(first, second):
  """The normalised root of the product."""
  precisions = [1 / scales**2 for _, scales in (first, second)]
  total = precisions[0] + precisions[1]
  mean = (precisions[0] * first[0] + precisions[1] * second[0]) / total
  return mean, np.sqrt(2 / total)


def _kl_between(one, other):
  (m, s), (n, t) = one, other
  return np.log(t / s) + (s**2 + (m - n) ** 2) / (2 * t**2) - 0.5


@reductions
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize(
  ("cls", "common"), [(models.AdaGVAE, _average), (models.AdaMLVAE, _product)]
)
def test_ada_vaes(reduction, symmetric, cls, common):
  model = _make(cls, beta=2.0, ratio=0.4, symmetric=symmetric, reduction=reduction)
  first, second = (_posterior(model, images) for images in PAIR)
  difference = _kl_between(first, second)
  if symmetric:
    difference = 0.5 * (difference + _kl_between(second, first))
  least, most = difference.min(axis=1), difference.max(axis=1)
  shared = difference < (least + 0.4 * (most - least))[:, None]
  assert 0 < shared.mean() < 1
  both = common(first, second)
  posteriors = [
    tuple(np.where(shared, *parts) for parts in zip(both, own, strict=True))
    for own in (first, second)
  ]
  _check(model, _pair_terms(model, posteriors, beta=2.0), PAIR)


def _transition(one, other, rate):
  """KL of a normal from a Laplace around the other's mean, by its definition."""
  (m, s), (n, _) = one, other
  apart = m - n
  folded = s * np.sqrt(2 / np.pi) * np.exp(-(apart**2) / (2 * s**2))
  absolute = folded + apart * (1 - 2 * stats.norm.cdf(-apart / s))
  cross_entropy = rate * absolute - np.log(rate / 2)
  return cross_entropy - stats.norm.entropy(m, s)


@reductions
def test_slow_vae(reduction):
  model = _make(models.SlowVAE, gamma=4.0, rate=2.5, beta=1.5, reduction=reduction)
  first, second = (_posterior(model, images) for images in PAIR)
  both = _transition(first, second, 2.5) + _transition(second, first, 2.5)
  expected = {
    **_pair_terms(model, (first, second), beta=1.5),
    "transition": 4.0 * 0.5 * both.sum(axis=1).mean(),
  }
  _check(model, expected, PAIR)


def test_pcl():
  keras.utils.set_random_seed(0)
  model = compiled(
    models.PCL(
      tiny_networks()[0],
      latents=LATENTS,
      standardisation=tiny_data().standardisation(),
    )
  )
  _spread(model)
  rng = np.random.default_rng(0)
  a, b, c = rng.normal(size=(3, LATENTS))
  for variable, value in ((model.a, a), (model.b, b), (model.c, c), (model.d, 0.3)):
    variable.assign(value)
  codes, successors = (_posterior(model, images)[0] for images in PAIR)

  def score(after):
    return (after**2 - np.abs(a * after + b * codes + c)).sum(axis=1) + 0.3

  order = np.asarray(random_order([SIZE], split_seed(SEED, "permutation")))
  in_order = np.logaddexp(0, -score(successors))
  out_of_order = np.logaddexp(0, score(successors[order]))
  _check(model, {"contrast": 0.5 * (in_order + out_of_order).mean()}, PAIR)


def test_supervision_adds_its_weighted_loss():
  labelled = Batches(tiny_data(), batch_size=5).make(1)
  labels = np.random.default_rng(0).integers(4, size=(5, 2))
  model = _make(
    models.VAE,
    supervision=supervision.L2(3.0, (4, 4)),
    reduction="sum",
  )
  codes, _ = _posterior(model, labelled)
  error = ((codes[:, :2] - labels) ** 2).mean(axis=0).sum()
  expected = {**_vae_terms(model)[0], "supervised": 3.0 * error}
  _check(model, expected, (IMAGES, (labelled, labels)))


# What a model is without settings: the papers' numbers.
DEFAULTS = {
  models.AE: {"reduction": "mean", "standardisation": None, "supervision": None},
  models.AnnealedVAE: {
    "gamma": 1000.0,
    "iteration_threshold": 100_000,
    "per_image": False,
  },
  models.BetaTCVAE: {"estimator": "weighted", "num_points": None},
  models.DIPVAE: {"lambda_d": None},
  models.AdaGVAE: {"symmetric": True, "ratio": 0.5, "labels": None},
  models.SlowVAE: {"gamma": 10.0, "rate": 6.0, "beta": 1.0},
}
NEEDED = {
  models.AnnealedVAE: {"c_max": 25.0},
  models.BetaTCVAE: {"beta": 4.0},
  models.DIPVAE: {"lambda_od": 10.0, "dip_type": "i"},
  models.AdaGVAE: {"beta": 1.0},
}


@pytest.mark.parametrize("cls", DEFAULTS, ids=lambda cls: cls.__name__)
def test_defaults(cls):
  model = cls(*tiny_networks(), losses.MSE(), **NEEDED.get(cls, {}))
  for name, value in DEFAULTS[cls].items():
    assert getattr(model, name) == value, name


def test_the_discriminators_optimiser_is_the_papers():
  model = _make(models.FactorVAE, gamma=1.0, discriminator=_discriminator())
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
        discriminator=_discriminator(),
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
  model = _make(models.FactorVAE, gamma=1.0, discriminator=discriminator)
  moving = discriminator.get_layer("norm").moving_mean
  model.loss_terms(IMAGES, SEED, training=True)
  model.discriminator_loss(np.ones((4, LATENTS), np.float32), SEED)
  np.testing.assert_array_equal(moving, np.zeros(LATENTS))
  model.train_step(IMAGES)
  assert np.abs(moving).max() > 0


def test_a_step_of_training_is_one_of_plain_gradient_descent():
  """The weights move by the gradient of the sum of the terms, and by nothing else."""
  model = _make(models.BetaTCVAE, beta=3.0)
  model.compile(keras.optimizers.SGD(0.1))
  seed = stream_seed(model.seed, "latents", 0)
  with tf.GradientTape() as tape:
    loss = tf.add_n(list(model.loss_terms(IMAGES, seed, training=True).values()))
  before = [np.asarray(v) for v in model.trainable_variables]
  slopes = tape.gradient(loss, model.trainable_variables)
  logs = model.train_step(IMAGES)
  assert float(logs["loss"]) == pytest.approx(float(loss), rel=1e-5)
  for old, new, slope in zip(before, model.trainable_variables, slopes, strict=True):
    np.testing.assert_allclose(new, old - 0.1 * slope, atol=1e-5)
