import functools

import numpy as np
import pytest
import tensorflow as tf
import tensorflow_probability as tfp
from ada_vae_checks import check_ada_terms
from model_checks import check_defaults, reductions
from shared_checks import tiny_data, tiny_model, tiny_networks

from disentangle_tf import losses, models
from disentangle_tf.data import Batches, changed_factors, draw_pairs
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import split_seed, stream_seed

SEED = stream_seed(0, "test")
RNG = np.random.default_rng(0)
MEANS = RNG.normal(size=(2, 50, 3)).astype(np.float32)
SCALES = RNG.uniform(0.3, 1.5, (2, 50, 3)).astype(np.float32)
PAIR = [tfp.distributions.Normal(m, s) for m, s in zip(MEANS, SCALES, strict=True)]
GROUP = functools.partial(tiny_model, models.AdaGVAE, beta=1.0)


def _kl(i, j):
  """KL(q_i || q_j) a latent, by its closed form."""
  ratio = SCALES[i] / SCALES[j]
  apart = (MEANS[i] - MEANS[j]) / SCALES[j]
  return 0.5 * (ratio**2 + apart**2 - 1) - np.log(ratio)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("ratio", [0.25, 0.5])
def test_latents_below_the_threshold_are_shared(symmetric, ratio):
  difference = 0.5 * (_kl(0, 1) + _kl(1, 0)) if symmetric else _kl(0, 1)
  least = difference.min(1, keepdims=True)
  most = difference.max(1, keepdims=True)
  expected = difference < least + ratio * (most - least)
  shared = GROUP(symmetric=symmetric, ratio=ratio).shared_latents(*PAIR)
  np.testing.assert_array_equal(shared, expected)
  assert expected.any(1).all() and not expected.all(1).any()


def test_group_posterior_is_the_average():
  common = GROUP().common_posterior(*PAIR)
  np.testing.assert_allclose(common.mean(), MEANS.mean(0), atol=1e-6)
  np.testing.assert_allclose(common.variance(), (SCALES**2).mean(0), rtol=1e-5)


def test_only_shared_latents_become_one():
  model = GROUP()
  shared = model.shared_latents(*PAIR).numpy()
  first, second = model.share(*PAIR, shared)
  common = model.common_posterior(*PAIR)
  for own, given in ((first, PAIR[0]), (second, PAIR[1])):
    np.testing.assert_allclose(
      own.loc, np.where(shared, common.loc, given.loc), atol=1e-6
    )
    np.testing.assert_allclose(
      own.scale, np.where(shared, common.scale, given.scale), rtol=1e-6
    )


def test_known_labels_decide_what_is_shared():
  changed = RNG.random((50, 2)) < 0.5
  by_factor = GROUP(labels="factors").shared_latents(*PAIR, changed)
  assert by_factor.shape == (50, 3)
  np.testing.assert_array_equal(by_factor[:, :2], ~changed)
  assert not np.any(by_factor[:, 2])
  by_count = GROUP(labels="count").shared_latents(*PAIR, changed).numpy()
  np.testing.assert_array_equal((~by_count).sum(1), changed.sum(1))
  difference = 0.5 * (_kl(0, 1) + _kl(1, 0))
  kept = np.where(by_count, -np.inf, difference)
  given_up = np.where(by_count, difference, np.inf)
  apart = changed.any(1)
  # What stays apart differs more than anything that is shared.
  least_kept = np.where(by_count, np.inf, kept).min(1)[apart]
  most_shared = np.where(by_count, given_up, -np.inf).max(1)[apart]
  assert (least_kept > most_shared).all()


def test_the_loss_is_the_mean_over_the_pair():
  pair = Batches(tiny_data(), batch_size=16, draw=draw_pairs).make(0)
  model = GROUP(ratio=0.0)  # nothing is below the smallest difference: no sharing
  single = tiny_model(beta=1.0)
  each = [
    single.loss_terms(images, split_seed(SEED, place))
    for images, place in zip(pair, ("first", "second"), strict=True)
  ]
  terms = model.loss_terms(pair, SEED)
  for name in ("reconstruction", "kl"):
    expected = 0.5 * (float(each[0][name]) + float(each[1][name]))
    assert float(terms[name]) == pytest.approx(expected, rel=1e-5)


def test_identical_images_share_all_but_nothing_is_undefined():
  images = Batches(tiny_data(), batch_size=4).make(0)
  terms = GROUP().loss_terms((images, images), SEED)
  assert np.isfinite([float(value) for value in terms.values()]).all()


def test_batches_must_fit():
  single = Batches(tiny_data(), batch_size=4).make(0)
  pair = Batches(tiny_data(), batch_size=4, draw=draw_pairs).make(0)
  labelled = Batches(
    tiny_data(), batch_size=4, draw=draw_pairs, label_of=changed_factors
  ).make(0)
  with pytest.raises(UserError, match="learns from pairs.*draw_pairs"):
    GROUP().check_batch(single)
  with pytest.raises(UserError, match="learns from single images"):
    tiny_model().check_batch(pair)
  with pytest.raises(UserError, match="lack labels"):
    GROUP(labels="count").check_batch(pair)
  with pytest.raises(UserError, match="have labels"):
    GROUP().check_batch(labelled)
  with pytest.raises(UserError, match="4 factors need as many latents"):
    GROUP(labels="factors").check_batch(labelled)
  enough = models.AdaGVAE(
    *tiny_networks(latents=4), losses.MSE(), beta=1.0, labels="factors"
  )
  enough.check_batch(labelled)
  GROUP(labels="count").check_batch(labelled)
  terms = GROUP(labels="count").loss_terms(labelled, SEED)
  assert tf.math.is_finite(terms["kl"])


def test_bad_settings():
  with pytest.raises(UserError, match="ratio is 2"):
    GROUP(ratio=2)
  assert GROUP(ratio=1).ratio == 1
  with pytest.raises(UserError, match="labels is 'all'"):
    GROUP(labels="all")


def _average(first, second):
  """Mean of means, mean of variances."""
  variance = 0.5 * (first[1] ** 2 + second[1] ** 2)
  return 0.5 * (first[0] + second[0]), np.sqrt(variance)


@reductions
@pytest.mark.parametrize("symmetric", [True, False])
def test_every_term_is_that_of_the_formula(reduction, symmetric):
  check_ada_terms(models.AdaGVAE, _average, reduction=reduction, symmetric=symmetric)


def test_defaults():
  check_defaults(
    models.AdaGVAE, {"symmetric": True, "ratio": 0.5, "labels": None}, beta=1.0
  )


def test_multi_level_posterior_is_the_geometric_mean_of_densities():
  """sqrt(q0 q1), normalised, is the normal with the mean precision."""
  model = tiny_model(models.AdaMLVAE, beta=1.0)
  common = model.common_posterior(*PAIR)
  precision = (1 / SCALES**2).mean(0)
  mean = (MEANS / SCALES**2).mean(0) / precision
  np.testing.assert_allclose(common.variance(), 1 / precision, rtol=1e-5)
  np.testing.assert_allclose(common.mean(), mean, atol=1e-5)
  grid = np.linspace(-3, 3, 7, dtype=np.float32)[:, None, None]
  apart = 0.5 * (PAIR[0].log_prob(grid) + PAIR[1].log_prob(grid))
  constant = apart - common.log_prob(grid)
  np.testing.assert_allclose(constant, constant[:1] + 0 * constant, atol=1e-3)


def _product(first, second):
  """The normalised root of the product."""
  precisions = [1 / scales**2 for _, scales in (first, second)]
  total = precisions[0] + precisions[1]
  mean = (precisions[0] * first[0] + precisions[1] * second[0]) / total
  return mean, np.sqrt(2 / total)


@reductions
@pytest.mark.parametrize("symmetric", [True, False])
def test_ada_mlvae_every_term_is_that_of_the_formula(reduction, symmetric):
  check_ada_terms(models.AdaMLVAE, _product, reduction=reduction, symmetric=symmetric)
