import numpy as np

from disentangle_tf.studies.analyses.seed_median import seed_median


def test_fifty_seeds():
  values = np.tile(np.arange(50.0), (2, 3, 1))
  np.testing.assert_array_equal(seed_median(values), np.full((2, 3), 24.5))


def test_missing_seeds_do_not_count():
  values = np.array([[3.0, np.nan, 1.0], [np.nan, 2.0, np.nan], [np.nan] * 3])
  assert seed_median(values)[:2].tolist() == [2.0, 2.0]
  assert np.isnan(seed_median(values)[2])


def test_as_numpy():
  values = np.random.default_rng(0).normal(size=(20, 7, 9))
  values[np.random.default_rng(1).random(values.shape) < 0.3] = np.nan
  np.testing.assert_array_equal(seed_median(values), np.nanmedian(values, axis=-1))
