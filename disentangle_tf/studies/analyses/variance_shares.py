"""Shares of variance that method and strength explain: Locatello et al. 2019."""

import dataclasses

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.seed_bootstrap import (
  percentile_interval,
  seed_weights,
)
from disentangle_tf.studies.paper_names import METRICS, in_paper_order

_ROUNDING = 1e-12  # relative to the squared range: below it all values are the same


@dataclasses.dataclass(frozen=True)
class VarianceShares:
  """Shares of variance of each score on each data set.

  Attributes:
    method: `MatrixPanel` [data sets, scores], share that the method explains.
    setting: the same, method and strength together; the rest is the seed.
    method_baseline, setting_baseline: masked arrays [data sets, scores], the share
      that groups of no effect would explain on average: (groups - 1) / (models - 1).
  """

  method: MatrixPanel
  setting: MatrixPanel
  method_baseline: np.ma.MaskedArray
  setting_baseline: np.ma.MaskedArray


def variance_shares(table, *, scores=tuple(METRICS), resamples=1_000, rng=0):
  """Shares of variance eta^2, as of a regression on dummies: R^2.

  1 - (sum of squares within groups) / (total sum of squares), in [0, 1]; groups are
  the methods, and the settings of each method. A score that is the same for all models
  has no variance, and an empty cell.

  Args:
    table: `ResultsTable` of one step per model.
    scores: names.
    resamples: of the bootstrap over seeds; 0 for none. A resample holds some seeds
      twice, which makes groups look more alike than they are: with few seeds (below 20
      or so) the interval lies too high.
    rng: seed or `numpy.random.Generator` of the bootstrap.

  Returns:
    `VarianceShares`.
  """
  wide, data = table.pivot(scores), tuple(in_paper_order(table.names("data")))
  rng = np.random.default_rng(rng)
  shape = (2, len(data), len(scores))  # by method, by setting
  shares, baselines = np.full(shape, np.nan), np.full(shape, np.nan)
  counts = np.zeros(shape[1:], int)
  drawn = np.full((resamples, *shape), np.nan)
  for row, name in enumerate(data):
    for column, score in enumerate(scores):
      models, values = wide.of_data(name).with_score(score)
      counts[row, column] = len(values)
      weights = None
      if resamples and len(values):
        weights = seed_weights(models.seed, resamples=resamples, rng=rng)
      for kind, groups in enumerate(_groups(models)):
        place = kind, row, column
        shares[place] = share_of_variance(values, groups)
        if len(values) > 1:
          baselines[place] = (len(np.unique(groups)) - 1) / (len(values) - 1)
        if weights is not None:
          drawn[:, kind, row, column] = share_of_variance(values, groups, weights)
  low, high = percentile_interval(drawn) if resamples else ((None, None),) * 2
  panels = [
    MatrixPanel(
      data, tuple(scores), np.ma.masked_invalid(shares[kind]), counts, low[kind],
      high[kind],
    )
    for kind in range(2)
  ]  # fmt: skip
  return VarianceShares(*panels, *np.ma.masked_invalid(baselines))


def share_of_variance(values, groups, weights=None):
  """eta^2 of values [models] in groups [models]: a float, or NaN of a constant.

  Args:
    weights: [resamples, models], how often each model occurs: gives [resamples].
  """
  chosen = np.ones((1, len(values))) if weights is None else weights.astype(float)
  scale = np.ptp(values) ** 2 if len(values) else 0.0
  values = values - values.mean() if len(values) else values  # less rounding
  names, place = np.unique(groups, return_inverse=True)
  member = (place[:, None] == np.arange(len(names))).astype(float)  # [models, groups]
  sizes, sums = chosen @ member, (chosen * values) @ member
  squares = chosen @ np.square(values)
  total = squares - sums.sum(axis=1) ** 2 / np.maximum(sizes.sum(axis=1), 1)
  within = squares - (sums**2 / np.maximum(sizes, 1)).sum(axis=1)
  found = np.full(len(chosen), np.nan)
  np.divide(within, total, out=found, where=total > _ROUNDING * scale)
  found = np.clip(1 - found, 0.0, 1.0)
  return float(found[0]) if weights is None else found


def _groups(models):
  """Each model's method, and a number for its method and setting."""
  pairs = list(zip(models.method.tolist(), models.setting.tolist(), strict=True))
  numbers = {pair: number for number, pair in enumerate(sorted(set(pairs)))}
  return models.method, np.array([numbers[pair] for pair in pairs], int)
