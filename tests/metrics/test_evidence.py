import numpy as np
import pytest
from scipy import stats

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import evidence

RNG = np.random.default_rng(0)
IMAGES = (RNG.random((20, 4, 4, 1)) > 0.5).astype(np.float32)
GIVEN = RNG.uniform(0.1, 0.9, IMAGES.shape).astype(np.float32)
MEANS = RNG.normal(size=(20, 3)).astype(np.float32)
LOG_VARIANCES = RNG.normal(size=(20, 3)).astype(np.float32)


def test_each_part_is_its_definition():
  scores = evidence(IMAGES, GIVEN, MEANS, LOG_VARIANCES)
  assert scores["reconstruction_error"] == pytest.approx(
    np.mean((IMAGES - GIVEN) ** 2), rel=1e-5
  )
  scales = np.exp(0.5 * LOG_VARIANCES)
  draws = RNG.normal(MEANS, scales, (20_000, 20, 3))
  ratio = stats.norm.logpdf(draws, MEANS, scales) - stats.norm.logpdf(draws)
  assert scores["kl"] == pytest.approx(ratio.sum(2).mean(), rel=0.01)
  likelihood = stats.bernoulli.logpmf(IMAGES, GIVEN).reshape(20, -1).sum(1).mean()
  assert scores["elbo"] == pytest.approx(likelihood - scores["kl"], rel=1e-5)


def test_normal_likelihood():
  scores = evidence(IMAGES, GIVEN, MEANS, LOG_VARIANCES, likelihood="normal")
  likelihood = stats.norm.logpdf(IMAGES, GIVEN).reshape(20, -1).sum(1).mean()
  assert scores["elbo"] == pytest.approx(likelihood - scores["kl"], rel=1e-5)


def test_a_perfect_model_of_one_image():
  scores = evidence(IMAGES, IMAGES, 0 * MEANS, 0 * LOG_VARIANCES)
  assert scores == {
    "reconstruction_error": 0.0,
    "kl": 0.0,
    "elbo": pytest.approx(0, abs=1e-4),
  }


def test_bad_input():
  with pytest.raises(UserError, match="bernoulli or normal"):
    evidence(IMAGES, GIVEN, MEANS, LOG_VARIANCES, likelihood="poisson")
  with pytest.raises(UserError, match="of one shape"):
    evidence(IMAGES, GIVEN[:5], MEANS, LOG_VARIANCES)
