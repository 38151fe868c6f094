"""Bootstrap intervals: seeds are resampled, all models of a seed together."""

import numpy as np

LEVELS = (2.5, 97.5)  # percentiles of the interval


def draw_seeds(
  num_seeds: int, *, resamples: int, rng: int | np.random.Generator
) -> np.ndarray:
  """Places of drawn seeds: [resamples, seeds]."""
  return np.random.default_rng(rng).integers(num_seeds, size=(resamples, num_seeds))


def seed_weights(
  seeds: np.ndarray, *, resamples: int, rng: int | np.random.Generator
) -> np.ndarray:
  """Number of times each model occurs in each resample: [resamples, models].

  Args:
    seeds: [models].
    resamples: number of times all seeds are drawn, with replacement.
    rng: seed or `numpy.random.Generator`.
  """
  distinct, place = np.unique(seeds, return_inverse=True)
  if not len(distinct):
    return np.zeros((resamples, 0), int)
  drawn = draw_seeds(len(distinct), resamples=resamples, rng=rng)
  counts = (drawn[:, :, None] == np.arange(len(distinct))).sum(axis=1)
  return counts[:, place]


def percentile_interval(
  values: np.ndarray,
) -> tuple[np.ma.MaskedArray, np.ma.MaskedArray]:
  """(low, high) of resampled values [resamples, ...]: masked arrays [...].

  Resamples in which a value is NaN do not count; where all are, the interval is masked.
  """
  empty = ~np.isfinite(values).any(axis=0)
  filled = np.where(empty, 0.0, values)
  low, high = np.nanpercentile(filled, LEVELS, axis=0)
  return (
    np.ma.array(np.where(empty, np.nan, low), mask=empty),
    np.ma.array(np.where(empty, np.nan, high), mask=empty),
  )
