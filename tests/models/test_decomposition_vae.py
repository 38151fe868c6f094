import numpy as np
import pytest
from model_checks import (
  IMAGES,
  LATENTS,
  SEED,
  SIZE,
  check_terms,
  kl_from_normal,
  make_spread,
  reductions,
  vae_terms,
)
from prior_kinds import DRAWN_OTHERWISE_BY_XLA, PRIORS
from scipy import special, stats
from shared_checks import check_compiled_step, tiny_model

from disentangle_tf import losses, models, priors
from disentangle_tf.random_streams import random_uniform, split_seed


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
def test_every_term_is_that_of_the_formula_with_mmd(reduction, per_latent):
  scales = (0.5, 2.0)
  model = make_spread(
    models.DecompositionVAE,
    alpha=10.0,
    beta=0.5,
    aggregate_divergence=losses.MMD(scales=scales, per_latent=per_latent),
    reduction=reduction,
  )
  terms, codes, *_ = vae_terms(model)
  drawn = stats.norm.ppf(random_uniform(codes.shape, split_seed(SEED, "prior")))
  apart = _mmd(codes, drawn, scales=scales, per_latent=per_latent)
  expected = {**terms, "kl": 0.5 * terms["kl"], "aggregate": 10.0 * apart}
  check_terms(model, expected, rtol=1e-3)


@reductions
def test_every_term_is_that_of_the_formula_with_the_inclusive_kl(reduction):
  model = make_spread(
    models.DecompositionVAE,
    alpha=2.0,
    beta=0.5,
    aggregate_divergence=losses.InclusiveKL(),
    prior=priors.AnisotropicNormal([2.0, 1.0, 0.5]),
    reduction=reduction,
  )
  terms, _, means, scales = vae_terms(model)
  wide = np.array([2.0, 1.0, 0.5]) / 3.5 * LATENTS
  closed = kl_from_normal(means / wide, scales / wide).sum(axis=1).mean()
  drawn = wide * stats.norm.ppf(random_uniform(means.shape, split_seed(SEED, "prior")))
  log_prior = stats.norm.logpdf(drawn, 0, wide).sum(axis=1)
  each = stats.norm.logpdf(drawn[:, None], means[None], scales[None]).sum(axis=2)
  log_aggregate = special.logsumexp(each, axis=1) - np.log(SIZE)
  expected = {
    "reconstruction": terms["reconstruction"],
    "kl": 0.5 * closed,
    "aggregate": 2.0 * np.mean(log_prior - log_aggregate),
  }
  check_terms(model, expected, rtol=1e-3)


def test_without_alpha_it_is_the_beta_vae():
  model = make_spread(
    models.DecompositionVAE, alpha=0.0, beta=3.0, aggregate_divergence=losses.MMD()
  )
  terms = model.loss_terms(IMAGES, SEED)
  assert float(terms.pop("aggregate")) == 0
  expected = make_spread(models.BetaVAE, beta=3.0).loss_terms(IMAGES, SEED)
  np.testing.assert_allclose(list(terms.values()), list(expected.values()), rtol=1e-6)


@pytest.mark.parametrize("prior", sorted(set(PRIORS) - DRAWN_OTHERWISE_BY_XLA))
@pytest.mark.parametrize(
  "divergence",
  [
    pytest.param(losses.MMD(), id="mmd"),
    pytest.param(losses.MMD(per_latent=True), id="per_latent", marks=pytest.mark.slow),
    pytest.param(losses.InclusiveKL(), id="inclusive_kl", marks=pytest.mark.slow),
  ],
)
def test_a_compiled_step_is_the_same(divergence, prior):
  check_compiled_step(
    lambda: tiny_model(
      models.DecompositionVAE,
      alpha=2.0,
      beta=0.5,
      aggregate_divergence=divergence,
      prior=PRIORS[prior](),
    ),
    IMAGES,
  )
