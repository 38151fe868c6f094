import math

import numpy as np
import pytest
from sampler_checks import PARTIAL, SPACE, run_sampler_test
from scipy import stats

from disentangle_tf.data import draw_single
from disentangle_tf.data.sampling.correlated_factors import draw_correlated
from disentangle_tf.errors import UserError
from disentangle_tf.random_streams import stream_seed

SEED = stream_seed(0, "test")


def joint(space, factors, first, second):
  counts = np.zeros([space.sizes[first], space.sizes[second]])
  np.add.at(counts, (factors[:, first], factors[:, second]), 1)
  return counts


def law(sizes, sigma):
  u, v = (np.arange(size) / (size - 1) for size in sizes)
  weights = np.exp(-((u[:, None] - v) ** 2) / (2 * sigma**2))
  return weights / weights.sum()


def assert_counts(counts, probabilities):
  expected = counts.sum() * probabilities
  frequent = expected > 5
  rest = expected[~frequent].sum()
  expected = [*expected[frequent], *([rest] if rest else [])]
  found = [*counts[frequent], *([counts[~frequent].sum()] if rest else [])]
  assert stats.chisquare(found, expected).pvalue > 1e-3


@pytest.mark.parametrize("sigma", [0.2, 0.7, math.inf])
@pytest.mark.parametrize("first, second", [("a", "d"), (3, 0)])
def test_joint_law(first, second, sigma):
  factors = draw_correlated(
    SPACE, 30_000, SEED, first=first, second=second, sigma=sigma
  ).numpy()
  assert_counts(joint(SPACE, factors, 0, 3), law((3, 7), sigma))
  assert stats.chisquare(np.bincount(factors[:, 1], minlength=40)).pvalue > 1e-3
  others = joint(SPACE, factors, 0, 1)
  assert stats.chi2_contingency(others).pvalue > 1e-3


def test_a_tiny_sigma_makes_the_factors_equal():
  options = {"first": "d", "second": "a", "sigma": 1e-6}
  factors = draw_correlated(SPACE, 3_000, SEED, **options).numpy()
  np.testing.assert_array_equal(factors[:, 3], 3 * factors[:, 0])


def test_partial_grids_keep_the_law_of_what_exists():
  options = {"first": "a", "second": "d", "sigma": 0.5}
  factors = draw_correlated(PARTIAL, 30_000, SEED, **options).numpy()
  PARTIAL.to_index(factors)
  exists = joint(PARTIAL, PARTIAL.points, 0, 3) > 0
  probabilities = law((3, 7), 0.5) * exists
  assert_counts(joint(PARTIAL, factors, 0, 3), probabilities / probabilities.sum())


def test_draws_follow_from_the_seed():
  run_sampler_test(draw_correlated, PARTIAL, first="a", second="b", sigma=0.3)


def test_one_valued_factors_are_allowed():
  factors = draw_correlated(SPACE, 100, SEED, first="c", second="d", sigma=0.1)
  assert factors.shape == draw_single(SPACE, 100, SEED).shape
  assert (factors.numpy()[:, 2] == 0).all()


def test_mistakes_are_reported():
  with pytest.raises(UserError, match="both 'a'"):
    draw_correlated(SPACE, 2, SEED, first="a", second=0, sigma=1)
  with pytest.raises(UserError, match="sigma is 0"):
    draw_correlated(SPACE, 2, SEED, first="a", second="b", sigma=0)
  with pytest.raises(UserError, match="no factor 'e'"):
    draw_correlated(SPACE, 2, SEED, first="a", second="e", sigma=1)
