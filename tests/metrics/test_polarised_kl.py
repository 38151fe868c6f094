import numpy as np
import pytest
from scipy import stats

from disentangle_tf import metrics
from disentangle_tf.errors import UserError


def test_one_latent_in_closed_form():
  """1/2 sigma^2 of 1/2 (mu^2 + sigma^2 - log sigma^2 - 1)."""
  found = metrics.polarised_kl([[1.5]], np.log([[0.04]]))
  expected = 0.04 / (1.5**2 + 0.04 - np.log(0.04) - 1)
  assert found == {"polarised_kl_error": pytest.approx(expected)}


def test_against_the_kl_by_monte_carlo():
  rng = np.random.default_rng(0)
  means, scales = rng.normal(size=(10, 3)), rng.uniform(0.1, 0.8, size=(10, 3))
  draws = rng.normal(means, scales, (50_000, 10, 3))
  ratio = stats.norm.logpdf(draws, means, scales) - stats.norm.logpdf(draws)
  kl = ratio.sum(axis=2).mean()
  taken = 0.5 * (means**2 - np.log(scales**2) - 1).sum(axis=1).mean()
  found = metrics.polarised_kl(means, 2 * np.log(scales))
  assert found["polarised_kl_error"] == pytest.approx((kl - taken) / kl, rel=0.02)


def test_narrow_posteriors_hold_to_it_and_pruned_ones_do_not_count():
  means = np.random.default_rng(0).normal(size=(100, 2))
  narrow = metrics.polarised_kl(means, np.full((100, 2), -10.0))
  assert narrow["polarised_kl_error"] < 1e-5
  pruned = np.concatenate([means, 0 * means], axis=1)
  widths = np.tile([-10.0, -10.0, 0.0, 0.0], (100, 1))
  assert metrics.polarised_kl(pruned, widths) == pytest.approx(narrow)
  assert metrics.polarised_kl(means, np.zeros((100, 2))) == {}


def test_shapes_that_differ():
  with pytest.raises(UserError, match="log_variances"):
    metrics.polarised_kl(np.zeros((3, 2)), np.zeros((3, 1)))
