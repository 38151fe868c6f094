import math

import numpy as np
import pytest
from scipy import stats

from disentangle_tf.studies.analyses import rank_correlation


def test_ties_share_their_mean_rank():
  found = rank_correlation(np.array([1, 2, 2, 3]), np.array([1, 3, 2, 4]))
  assert found == pytest.approx(3 / math.sqrt(10))
  assert round(found, 5) == 0.94868


def test_any_increasing_map_changes_nothing():
  rng = np.random.default_rng(0)
  first, second = rng.random(50), rng.random(50)
  assert rank_correlation(first, np.exp(9 * first) - 3) == pytest.approx(1)
  assert rank_correlation(first, -first) == pytest.approx(-1)
  plain = rank_correlation(first, second)
  assert rank_correlation(np.log(first), second**3) == plain


def test_a_constant_has_no_correlation():
  assert math.isnan(rank_correlation(np.full(5, 0.1), np.arange(5.0)))
  assert math.isnan(rank_correlation(np.array([1.0]), np.array([2.0])))
  assert math.isnan(rank_correlation(np.zeros(0), np.zeros(0)))


def test_as_scipy():
  rng = np.random.default_rng(1)
  first, second = rng.integers(5, size=40), rng.integers(9, size=40)
  expected = stats.spearmanr(first, second).statistic
  assert rank_correlation(first, second) == pytest.approx(expected, abs=1e-12)


def test_weights_repeat_models():
  rng = np.random.default_rng(2)
  first, second = rng.integers(6, size=30), rng.normal(size=30)
  weights = rng.integers(4, size=(8, 30))
  weights[7] = 0
  weights[7, 3] = 5  # one model only: no correlation
  found = rank_correlation(first, second, weights)
  for each, value in zip(weights[:7], found, strict=False):
    repeated = stats.spearmanr(np.repeat(first, each), np.repeat(second, each))
    assert value == pytest.approx(repeated.statistic, abs=1e-12)
  assert math.isnan(found[7])
