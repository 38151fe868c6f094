import numpy as np

from disentangle_tf.studies.analyses.seed_bootstrap import (
  percentile_interval,
  seed_weights,
)


def test_models_of_a_seed_stay_together():
  seeds = np.array([4, 7, 4, 9, 7, 9])
  weights = seed_weights(seeds, resamples=200, rng=0)
  assert weights.shape == (200, 6)
  for pair in ((0, 2), (1, 4), (3, 5)):
    np.testing.assert_array_equal(weights[:, pair[0]], weights[:, pair[1]])
  assert (weights.sum(axis=1) == 6).all()  # as many seeds as there are
  assert abs(weights.mean() - 1) < 0.05
  assert seed_weights(np.zeros(0), resamples=3, rng=0).shape == (3, 0)


def test_percentiles_of_what_could_be_computed():
  values = np.stack([np.arange(1001.0), np.full(1001, np.nan)], axis=1)
  values = np.concatenate([values, np.full((50, 2), np.nan)])
  low, high = percentile_interval(values)
  assert (low[0], high[0]) == (25, 975)
  assert low.mask.tolist() == high.mask.tolist() == [False, True]


def test_the_interval_covers_the_mean_of_seeds():
  rng = np.random.default_rng(0)
  covered = 0
  for _ in range(200):
    values = np.repeat(rng.normal(size=40), 3)  # all models of a seed are alike
    weights = seed_weights(np.repeat(np.arange(40), 3), resamples=200, rng=rng)
    low, high = percentile_interval((weights @ values / weights.sum(axis=1))[:, None])
    covered += low[0] <= 0 <= high[0]
  assert 0.88 <= covered / 200 <= 0.99
