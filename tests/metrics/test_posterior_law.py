import numpy as np
import pytest
from metric_checks import check_is_scores

from disentangle_tf import metrics

RNG = np.random.default_rng(0)


def _law(jacobians, beta):
  """log sigma^2 of the best posteriors."""
  return -np.log1p(2 * np.square(jacobians).sum(axis=1) / beta)


@pytest.mark.parametrize("beta", [0.01, 0.5, 4.0])
def test_the_best_posteriors_give_their_beta_back(beta):
  sizes = np.sqrt(beta) * RNG.uniform(1, 3, size=(40, 1, 3))
  jacobians = sizes * RNG.normal(size=(40, 20, 3))
  found = metrics.posterior_law(jacobians, _law(jacobians, beta))
  assert found["implied_beta"] == pytest.approx(beta, rel=1e-9)
  assert found["posterior_law_correlation"] == pytest.approx(1.0)


def test_a_linear_vae():
  """Columns of squared length e - n and variances n / e, with n = beta / 2."""
  noise, eigenvalues = 0.05, np.array([6.0, 3.0, 1.5])
  columns = np.linalg.qr(RNG.normal(size=(8, 3)))[0] * np.sqrt(eigenvalues - noise)
  jacobians = np.tile(columns, (5, 1, 1))
  log_variances = np.tile(np.log(noise / eigenvalues), (5, 1))
  found = metrics.posterior_law(jacobians, log_variances)
  assert found["implied_beta"] == pytest.approx(2 * noise)
  assert found["posterior_law_correlation"] == pytest.approx(1.0)


def test_variances_that_know_nothing_of_the_decoder():
  jacobians = RNG.normal(size=(3_000, 4, 2))
  log_variances = RNG.uniform(-5, -1, size=(3_000, 2))
  found = metrics.posterior_law(jacobians, log_variances)
  assert found["posterior_law_correlation"] == pytest.approx(0, abs=0.05)
  assert set(metrics.posterior_law.directions.values()) == {"higher", "neither"}


def test_what_the_law_says_nothing_of_is_left_out():
  jacobians = RNG.uniform(1, 3, size=(10, 5, 3))
  log_variances = _law(jacobians, 0.5)
  log_variances[:, 1] = np.log(0.9)  # pruned
  log_variances[3, 0] = 0.1  # wider than the prior
  jacobians[4, :, 2] = 0.0  # does nothing here
  found = metrics.posterior_law(jacobians, log_variances)
  assert found["implied_beta"] == pytest.approx(0.5)
  assert found["posterior_law_correlation"] == pytest.approx(1.0)


def test_edges():
  jacobians = RNG.uniform(1, 3, size=(10, 5, 3))
  assert metrics.posterior_law(jacobians, np.zeros((10, 3))) == {}
  assert metrics.posterior_law(0 * jacobians, np.full((10, 3), -3.0)) == {}
  deterministic = metrics.posterior_law(jacobians, np.full((10, 3), -87.3))
  check_is_scores(deterministic)
  assert deterministic["posterior_law_correlation"] == 0
  assert deterministic["implied_beta"] == pytest.approx(0, abs=1e-30)
