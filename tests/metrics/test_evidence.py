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
LOG_LIKELIHOODS = stats.bernoulli.logpmf(IMAGES, GIVEN).sum(axis=(1, 2, 3))


def test_each_part_is_its_definition():
  scores = evidence(
    MEANS,
    LOG_VARIANCES,
    images=IMAGES,
    reconstructions=GIVEN,
    log_likelihoods=LOG_LIKELIHOODS,
  )
  assert scores["reconstruction_error"] == pytest.approx(
    np.mean((IMAGES - GIVEN) ** 2), rel=1e-5
  )
  scales = np.exp(0.5 * LOG_VARIANCES)
  draws = RNG.normal(MEANS, scales, (20_000, 20, 3))
  ratio = stats.norm.logpdf(draws, MEANS, scales) - stats.norm.logpdf(draws)
  assert scores["kl"] == pytest.approx(ratio.sum(2).mean(), rel=0.01)
  assert scores["reconstruction_nats"] == pytest.approx(-LOG_LIKELIHOODS.mean())
  assert scores["elbo"] == pytest.approx(LOG_LIKELIHOODS.mean() - scores["kl"])


def test_without_a_likelihood_there_is_no_bound():
  scores = evidence(MEANS, LOG_VARIANCES, images=IMAGES, reconstructions=GIVEN)
  assert set(scores) == {"reconstruction_error", "kl"}


def test_without_a_decoder_there_is_the_kl():
  whole = evidence(MEANS, LOG_VARIANCES, images=IMAGES, reconstructions=GIVEN)
  assert evidence(MEANS, LOG_VARIANCES) == {"kl": whole["kl"]}


def test_another_prior():
  """KL of N(m, s^2) from N(0, 2^2)."""
  scales = np.exp(0.5 * LOG_VARIANCES)
  each = np.log(2 / scales) + (scales**2 + MEANS**2) / 8 - 0.5
  scores = evidence(
    MEANS,
    LOG_VARIANCES,
    images=IMAGES,
    reconstructions=GIVEN,
    log_likelihoods=LOG_LIKELIHOODS,
    divergences=each.sum(axis=1),
  )
  assert scores["kl"] == pytest.approx(each.sum(axis=1).mean())
  assert scores["elbo"] == pytest.approx(LOG_LIKELIHOODS.mean() - scores["kl"])


def test_a_perfect_model_of_one_image():
  scores = evidence(
    0 * MEANS,
    0 * LOG_VARIANCES,
    images=IMAGES,
    reconstructions=IMAGES,
    log_likelihoods=np.zeros(20),
  )
  assert scores == {
    "reconstruction_error": pytest.approx(0),
    "kl": pytest.approx(0, abs=1e-6),
    "reconstruction_nats": pytest.approx(0),
    "elbo": pytest.approx(0, abs=1e-4),
  }


def test_bad_input():
  with pytest.raises(UserError, match="must have the same shape"):
    evidence(MEANS, LOG_VARIANCES, images=IMAGES, reconstructions=GIVEN[:5])
