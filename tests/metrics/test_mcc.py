import numpy as np
import pytest
from metric_checks import draw_factors, run_metric_test
from scipy import stats

from disentangle_tf.errors import UserError
from disentangle_tf.metrics import mcc
from disentangle_tf.metrics._mcc import correlation_matrix

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("correlation", ["pearson", "spearman"])
def test_promises(correlation):
  run_metric_test(
    lambda codes, factors: mcc(codes, factors, correlation=correlation),
    perfect={"mcc": 1.0},
    random={"mcc": 0.0},
    tolerance=0.05,
  )


def test_the_same_as_scipy():
  codes, factors = RNG.normal(size=(60, 2)), draw_factors(60)
  pearson = [[stats.pearsonr(z, f)[0] for f in factors.T] for z in codes.T]
  np.testing.assert_allclose(correlation_matrix(codes, factors), pearson)
  spearman = [[stats.spearmanr(z, f)[0] for f in factors.T] for z in codes.T]
  found = correlation_matrix(codes, factors, correlation="spearman")
  np.testing.assert_allclose(found, spearman)


def test_each_factor_has_a_latent_of_its_own():
  factor = np.arange(100)[:, None]
  twice = np.tile(factor, 2)
  assert mcc(twice, twice)["mcc"] == pytest.approx(1)
  assert mcc(factor, twice)["mcc"] == pytest.approx(0.5)
  # Latent 0 is best for both factors, but the sum is larger if factor 1 has it.
  noisy = factor + 20 * RNG.normal(size=(100, 1))
  codes = np.concatenate([factor, noisy], axis=1)
  best = abs(correlation_matrix(codes, twice))
  assert mcc(codes, twice)["mcc"] == pytest.approx((best[0, 0] + best[1, 1]) / 2)


def test_ranks_see_what_is_monotone():
  factor = np.arange(1, 50)[:, None]
  codes = -np.exp(factor / 4)
  assert mcc(codes, factor, correlation="spearman")["mcc"] == pytest.approx(1)
  assert mcc(codes, factor)["mcc"] < 0.8


def test_constants_correlate_with_nothing():
  codes = np.concatenate([np.full((50, 1), 0.3), RNG.normal(size=(50, 1))], axis=1)
  for correlation in ("pearson", "spearman"):
    matrix = correlation_matrix(codes, draw_factors(50), correlation=correlation)
    assert not matrix[0].any()


def test_unknown_correlation():
  with pytest.raises(UserError, match="'kendall': it must be 'pearson' or 'spearman'"):
    mcc(np.eye(3), np.eye(3), correlation="kendall")
