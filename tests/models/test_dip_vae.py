import numpy as np
import pytest
import tensorflow_probability as tfp
from model_checks import (
  LATENTS,
  check_defaults,
  check_terms,
  make_spread,
  reductions,
  vae_terms,
)
from shared_checks import tiny_model

from disentangle_tf import models
from disentangle_tf.errors import UserError

RNG = np.random.default_rng(0)
MEANS = RNG.normal(size=(40, 3)).astype(np.float32)
SCALES = RNG.uniform(0.2, 1.5, (40, 3)).astype(np.float32)
POSTERIOR = tfp.distributions.Normal(MEANS, SCALES)


def _make(dip_type, **options):
  return tiny_model(models.DIPVAE, dip_type=dip_type, lambda_od=2.0, **options)


def _expected_covariance(dip_type):
  covariance = np.cov(MEANS.T, bias=True)
  return covariance + (dip_type == "ii") * np.diag((SCALES**2).mean(0))


@pytest.mark.parametrize(("dip_type", "lambda_d"), [("i", 20.0), ("ii", 2.0)])
def test_penalties_are_those_of_the_covariance(dip_type, lambda_d):
  model = _make(dip_type, reduction="sum")
  covariance = _expected_covariance(dip_type)
  np.testing.assert_allclose(model.covariance(POSTERIOR), covariance, atol=1e-5)
  terms = model.regularisation(POSTERIOR, MEANS, None)
  off = covariance - np.diag(np.diag(covariance))
  assert float(terms["off_diagonal"]) == pytest.approx(2 * (off**2).sum(), rel=1e-4)
  assert float(terms["diagonal"]) == pytest.approx(
    lambda_d * ((np.diag(covariance) - 1) ** 2).sum(), rel=1e-4
  )


def test_type_ii_is_the_covariance_of_the_codes():
  drawn = RNG.normal(MEANS, SCALES, (20_000, 40, 3)).reshape(-1, 3)
  np.testing.assert_allclose(
    np.cov(drawn.T), _make("ii").covariance(POSTERIOR), atol=0.02
  )


def test_lambda_d_can_be_set():
  one, three = (
    float(_make("i", lambda_d=d).regularisation(POSTERIOR, MEANS, None)["diagonal"])
    for d in (1.0, 3.0)
  )
  assert three == pytest.approx(3 * one, rel=1e-5)


def test_bad_settings():
  with pytest.raises(UserError, match="must be 'i' or 'ii'"):
    _make("iii")
  with pytest.raises(UserError, match="DIPVAE.lambda_d is -1"):
    _make("i", lambda_d=-1)


@reductions
@pytest.mark.parametrize(
  ("dip_type", "lambda_d", "expected_d"),
  [("i", None, 20.0), ("ii", None, 2.0), ("i", 3.0, 3.0), ("ii", 3.0, 3.0)],
)
def test_every_term_is_that_of_the_formula(reduction, dip_type, lambda_d, expected_d):
  options = {"lambda_od": 2.0, "lambda_d": lambda_d, "dip_type": dip_type}
  model = make_spread(models.DIPVAE, reduction=reduction, **options)
  terms, _, means, scales = vae_terms(model)
  covariance = np.cov(means.T, bias=True)
  if dip_type == "ii":
    covariance = covariance + np.diag((scales**2).mean(axis=0))
  off_diagonal = covariance[~np.eye(LATENTS, dtype=bool)]
  check_terms(
    model,
    {
      **terms,
      "off_diagonal": 2.0 * (off_diagonal**2).sum(),
      "diagonal": expected_d * ((np.diag(covariance) - 1) ** 2).sum(),
    },
    rtol=1e-3,
  )


def test_defaults():
  check_defaults(models.DIPVAE, {"lambda_d": None}, lambda_od=10.0, dip_type="i")
