"""Do good settings transfer between data sets: figure 10 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.score_grid import ScoreGrid
from disentangle_tf.studies.analyses.seed_bootstrap import (
  draw_seeds,
  percentile_interval,
)
from disentangle_tf.studies.analyses.seed_median import seed_median
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.paper_names import METRICS

if TYPE_CHECKING:
  import pandas as pd


def transfer_between_data(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation between data sets of the settings' median scores.

  Each setting of each method is one point, its score the median over seeds: 36 points
  in the paper. A pair of data sets shares the settings that both have.

  Args:
    table: results table of one step per model.
    scores: names.
    resamples: of the bootstrap over seeds; 0 for none.
    rng: seed or `numpy.random.Generator` of the bootstrap.

  Returns:
    {score: `MatrixPanel` [data sets, data sets]}, symmetric, values in [-1, 1]; its
    counts are of settings.
  """
  grid = ScoreGrid.of(pivot(table, scores))
  drawn = None
  if resamples and len(grid.seeds):
    drawn = draw_seeds(len(grid.seeds), resamples=resamples, rng=rng)
  return {score: _panel(grid, row, drawn) for row, score in enumerate(scores)}


def _panel(grid: ScoreGrid, row: int, drawn: np.ndarray | None) -> MatrixPanel:
  values, counts = _correlations(grid.medians[row][None])
  low = high = None
  if drawn is not None:
    medians = [seed_median(grid.values[row][..., each]) for each in drawn]
    low, high = percentile_interval(_correlations(np.array(medians))[0])
  return MatrixPanel(
    grid.data, grid.data, np.ma.masked_invalid(values[0]), counts[0], low, high
  )


def _correlations(medians: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
  """Correlations of medians [resamples, data sets, settings], NaN where missing.

  Returns:
    (correlations, numbers of settings), two [resamples, data sets, data sets].
  """
  # A rank is the number of values below, and half the number of equal ones.
  below = (medians[..., None, :] < medians[..., None]).astype(float)
  below += 0.5 * (medians[..., None, :] == medians[..., None])
  num_resamples, size, _ = medians.shape
  values = np.full((num_resamples, size, size), np.nan)
  counts = np.zeros(values.shape, int)
  for first, second in zip(*np.triu_indices(size), strict=True):
    both = np.all(
      np.isfinite(medians[:, [first, second]]), axis=1
    )  # [resamples, settings]
    ranks = [_centred_ranks(below[:, each], both) for each in (first, second)]
    lengths = np.prod([np.square(each).sum(axis=1) for each in ranks], axis=0)
    found = np.full(num_resamples, np.nan)
    product = (ranks[0] * ranks[1]).sum(axis=1)
    np.divide(product, np.sqrt(lengths), out=found, where=lengths > 0)
    for place in ((first, second), (second, first)):
      values[:, *place] = np.clip(found, -1.0, 1.0)
      counts[:, *place] = both.sum(axis=1)
  return values, counts


def _centred_ranks(below: np.ndarray, chosen: np.ndarray) -> np.ndarray:
  """Ranks among the chosen settings minus their mean; 0 for all others."""
  ranks = np.einsum("rij,rj->ri", below, chosen.astype(float))
  return np.where(chosen, ranks - chosen.sum(axis=1, keepdims=True) / 2, 0.0)
