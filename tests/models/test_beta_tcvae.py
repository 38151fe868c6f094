import numpy as np
import pytest
from model_checks import (
  IMAGES,
  SEED,
  SIZE,
  check_defaults,
  check_terms,
  make_spread,
  reductions,
  vae_terms,
)
from scipy import special, stats

from disentangle_tf import models


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
def test_every_term_is_that_of_the_formula(reduction, estimator, num_points):
  model = make_spread(
    models.BetaTCVAE,
    beta=4.0,
    estimator=estimator,
    num_points=num_points,
    reduction=reduction,
  )
  terms, codes, means, scales = vae_terms(model)
  correlation = _total_correlation(
    codes, means, scales, _log_weights(estimator, num_points)
  )
  check_terms(
    model, {**terms, "total_correlation": (4.0 - 1.0) * correlation}, rtol=1e-3
  )


def test_defaults():
  check_defaults(
    models.BetaTCVAE, {"estimator": "weighted", "num_points": None}, beta=4.0
  )


def test_with_a_beta_of_1_it_is_the_plain_vae():
  model, plain = make_spread(models.BetaTCVAE, beta=1.0), make_spread(models.VAE)
  terms, expected = model.loss_terms(IMAGES, SEED), plain.loss_terms(IMAGES, SEED)
  assert float(terms.pop("total_correlation")) == 0
  np.testing.assert_allclose(list(terms.values()), list(expected.values()), rtol=1e-6)
