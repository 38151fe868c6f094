import numpy as np
import tensorflow as tf
from model_checks import check_terms, make_spread, reductions, vae_terms
from shared_checks import tiny_data, tiny_model

from disentangle_tf import models, schedules
from disentangle_tf.data import Batches
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")


def _gradients(model, images):
  with tf.GradientTape() as tape:
    loss = tf.add_n(list(model.loss_terms(images, SEED).values()))
  return [g.numpy() for g in tape.gradient(loss, model.trainable_variables)]


def test_beta_weighs_the_divergence_and_nothing_else():
  images = Batches(tiny_data(), batch_size=16).make(0)
  one, four = (tiny_model(beta=b).loss_terms(images, SEED) for b in (1.0, 4.0))
  np.testing.assert_allclose(four["kl"], 4 * one["kl"], rtol=1e-6)
  np.testing.assert_allclose(four["reconstruction"], one["reconstruction"], rtol=1e-6)


def test_the_gradient_is_linear_in_beta():
  images = Batches(tiny_data(), batch_size=16).make(0)
  zero, one, three = (_gradients(tiny_model(beta=b), images) for b in (0.0, 1.0, 3.0))
  for g0, g1, g3 in zip(zero, one, three, strict=True):
    np.testing.assert_allclose(g3, g0 + 3 * (g1 - g0), atol=1e-5)
  assert any(np.abs(g1 - g0).max() > 1e-4 for g0, g1 in zip(zero, one, strict=True))


@reductions
def test_every_term_is_that_of_the_formula(reduction):
  model = make_spread(models.BetaVAE, beta=3.5, reduction=reduction)
  terms, *_ = vae_terms(model)
  check_terms(model, {**terms, "kl": 3.5 * terms["kl"]})


def test_a_beta_that_grows():
  model = make_spread(
    models.BetaVAE, beta=schedules.Linear(1.0, 5.0, steps=8), reduction="sum"
  )
  model.optimizer.iterations.assign(2)
  terms, *_ = vae_terms(model)
  check_terms(model, {**terms, "kl": 2.0 * terms["kl"]})
