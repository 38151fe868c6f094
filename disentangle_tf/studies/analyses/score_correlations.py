"""Rank correlations over models between scores, one matrix per data set."""

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.rank_correlation import (
  correlation_of_ranks,
  standard_ranks,
)
from disentangle_tf.studies.analyses.seed_bootstrap import (
  percentile_interval,
  seed_weights,
)
from disentangle_tf.studies.paper_names import in_paper_order


def score_correlations(table, rows, columns, *, resamples=1_000, rng=0):
  """Spearman's correlation of every row score with every column score, over models.

  Each cell is of the models that have both scores. A score that no model has, or that
  is the same for all, gives an empty cell.

  Args:
    table: `ResultsTable` of one step per model.
    rows, columns: names of scores.
    resamples: of the bootstrap over seeds; 0 for none.
    rng: seed or `numpy.random.Generator` of the bootstrap.

  Returns:
    {data set: `MatrixPanel` [rows, columns]}, values in [-1, 1].

  Reference: Locatello et al. 2019, figures 6, 9 and 12. Their intervals are ours.
  """
  wide = table.pivot(dict.fromkeys([*rows, *columns]))
  rng = np.random.default_rng(rng)
  return {
    data: _panel(wide.of_data(data), tuple(rows), tuple(columns), resamples, rng)
    for data in in_paper_order(table.names("data"))
  }


def _panel(wide, rows, columns, resamples, rng):
  shape = (len(rows), len(columns))
  values, counts = np.full(shape, np.nan), np.zeros(shape, int)
  drawn = np.full((resamples, *shape), np.nan)
  once = np.ones((1, len(wide)), int)
  weights = seed_weights(wide.seed, resamples=resamples, rng=rng) if resamples else None
  sample, bootstrap = _Ranks(wide, once), _Ranks(wide, weights)
  for row, first in enumerate(rows):
    for column, second in enumerate(columns):
      there = ~np.ma.getmaskarray(wide.column(first) + wide.column(second))
      counts[row, column] = there.sum()
      values[row, column] = sample.correlation(first, second, there)[0]
      if resamples:
        drawn[:, row, column] = bootstrap.correlation(first, second, there)
  low, high = percentile_interval(drawn) if resamples else (None, None)
  return MatrixPanel(rows, columns, np.ma.masked_invalid(values), counts, low, high)


class _Ranks:
  """Ranks of columns under weights, each computed once."""

  def __init__(self, wide, weights):
    self._wide, self._weights, self._ranks = wide, weights, {}

  def correlation(self, first, second, there):
    ranks = [self._ranks_of(name, there) for name in (first, second)]
    return correlation_of_ranks(*ranks)

  def _ranks_of(self, name, there):
    key = name, there.tobytes()
    if key not in self._ranks:
      values = self._wide.column(name).data[there]
      self._ranks[key] = standard_ranks(values, self._weights[:, there])
    return self._ranks[key]
