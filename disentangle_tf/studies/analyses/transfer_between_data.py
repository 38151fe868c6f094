"""Do good settings transfer between data sets: figure 10 of Locatello et al. 2019."""

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.rank_correlation import rank_correlation
from disentangle_tf.studies.analyses.score_grid import ScoreGrid
from disentangle_tf.studies.analyses.seed_bootstrap import (
  draw_seeds,
  percentile_interval,
)
from disentangle_tf.studies.analyses.seed_median import seed_median
from disentangle_tf.studies.paper_names import METRICS


def transfer_between_data(table, *, scores=tuple(METRICS), resamples=1_000, rng=0):
  """Spearman's correlation between data sets of the settings' median scores.

  Each setting of each method is one point, its score the median over seeds: 36 points
  in the paper. A pair of data sets shares the settings that both have.

  Args:
    table: `ResultsTable` of one step per model.
    scores: names.
    resamples: of the bootstrap over seeds; 0 for none.
    rng: seed or `numpy.random.Generator` of the bootstrap.

  Returns:
    {score: `MatrixPanel` [data sets, data sets]}, symmetric, values in [-1, 1]; its
    counts are of settings.
  """
  grid = ScoreGrid.of(table.pivot(scores))
  drawn = None
  if resamples and len(grid.seeds):
    drawn = draw_seeds(len(grid.seeds), resamples=resamples, rng=rng)
  return {score: _panel(grid, row, drawn) for row, score in enumerate(scores)}


def _panel(grid, row, drawn):
  values, counts = _correlations(grid.medians[row])
  low = high = None
  if drawn is not None:
    again = [_correlations(seed_median(grid.values[row][..., d]))[0] for d in drawn]
    low, high = percentile_interval(np.array(again))
  return MatrixPanel(
    grid.data, grid.data, np.ma.masked_invalid(values), counts, low, high
  )


def _correlations(medians):
  """(correlations, numbers of settings) of medians [data sets, settings]."""
  size = len(medians)
  values, counts = np.full((size, size), np.nan), np.zeros((size, size), int)
  for first, second in zip(*np.triu_indices(size), strict=True):
    both = np.isfinite(medians[[first, second]]).all(axis=0)
    found = rank_correlation(medians[first, both], medians[second, both])
    values[[first, second], [second, first]] = found
    counts[[first, second], [second, first]] = both.sum()
  return values, counts
