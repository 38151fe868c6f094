"""Rank correlations between scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, overload

import numpy as np

from disentangle_tf.studies.analyses.intervals import percentile_interval, seed_weights
from disentangle_tf.studies.analyses.panels import MatrixPanel
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.titles import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


@overload
def rank_correlation(
  first: np.ndarray, second: np.ndarray, weights: None = None
) -> float: ...
@overload
def rank_correlation(
  first: np.ndarray, second: np.ndarray, weights: np.ndarray
) -> np.ndarray: ...


def rank_correlation(
  first: np.ndarray, second: np.ndarray, weights: np.ndarray | None = None
) -> float | np.ndarray:
  """Pearson correlation of average ranks: ties share their mean rank.

  Args:
    first, second: [models], finite.
    weights: [resamples, models], number of times each model occurs; None: once.

  Returns:
    A float in [-1, 1], or [resamples] with `weights`; NaN, no correlation, where a
    column is constant or there are fewer than two models.
  """
  chosen = np.ones((1, len(first)), int) if weights is None else weights
  found = correlation_of_ranks(
    standard_ranks(first, chosen), standard_ranks(second, chosen)
  )
  return float(found[0]) if weights is None else found


def standard_ranks(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
  """Ranks of values [models] whose products sum to correlations: [resamples, models].

  The average ranks that `scipy.stats.rankdata` gives if each model is repeated by its
  weight, minus their mean, times the root of the weight, scaled to length 1 in each
  resample. NaN in resamples in which all values are the same.
  """
  ranks = _average_ranks(values, weights)
  middle = (weights.sum(axis=1, keepdims=True) + 1) / 2  # their mean, ties or not
  ranks = np.sqrt(weights) * (ranks - middle)
  lengths = np.sqrt(np.square(ranks).sum(axis=1, keepdims=True))
  # Ranks that differ do so by half at least; all else is rounding.
  return np.divide(ranks, lengths, out=np.full_like(ranks, np.nan), where=lengths > 0.1)


def correlation_of_ranks(first: np.ndarray, second: np.ndarray) -> np.ndarray:
  """Correlations [resamples] of two `standard_ranks` [resamples, models], or NaN."""
  if not first.shape[1]:
    return np.full(len(first), np.nan)
  return np.clip(np.einsum("rm,rm->r", first, second), -1.0, 1.0)


def _average_ranks(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
  """[resamples, models], from 1."""
  _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
  if not len(counts):
    return np.zeros(weights.shape)
  sorted_weights = weights[:, np.argsort(place, kind="stable")]
  starts = np.cumsum(counts) - counts
  totals = np.add.reduceat(sorted_weights, starts, axis=1)
  below = np.cumsum(totals, axis=1) - totals
  return (below + (totals + 1) / 2)[:, place]


def score_correlations(
  table: pd.DataFrame,
  rows: Iterable[str],
  columns: Iterable[str],
  *,
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation of every row score with every column score, over models.

  Each cell counts the models that have both scores. A score that no model has, or that
  is the same for all, gives an empty cell.

  Args:
    table: results table of one step per model.
    rows, columns: names of scores.
    resamples: of the bootstrap over seeds; 0 for none.
    rng: seed or `numpy.random.Generator` of the bootstrap.

  Returns:
    {data set: `MatrixPanel` [rows, columns]}, values in [-1, 1].

  Reference: Locatello et al. 2019, figures 6, 9 and 12. The intervals are added here.
  """
  rows, columns = tuple(rows), tuple(columns)
  wide = pivot(table, dict.fromkeys([*rows, *columns]))
  rng = np.random.default_rng(rng)
  return {
    data: _panel(wide[wide["data"] == data], rows, columns, resamples, rng)
    for data in in_paper_order(table["data"].unique())
  }


def _panel(
  wide: pd.DataFrame,
  rows: tuple[str, ...],
  columns: tuple[str, ...],
  resamples: int,
  rng: np.random.Generator,
) -> MatrixPanel:
  shape = (len(rows), len(columns))
  values, counts = np.full(shape, np.nan), np.zeros(shape, int)
  drawn = np.full((resamples, *shape), np.nan)
  sample = _Ranks(wide, np.ones((1, len(wide)), int))
  bootstrap = None
  if resamples:
    weights = seed_weights(wide["seed"].to_numpy(), resamples=resamples, rng=rng)
    bootstrap = _Ranks(wide, weights)
  for row, first in enumerate(rows):
    for column, second in enumerate(columns):
      both = (wide[first].notna() & wide[second].notna()).to_numpy()
      counts[row, column] = both.sum()
      values[row, column] = sample.correlation(first, second, both)[0]
      if bootstrap:
        drawn[:, row, column] = bootstrap.correlation(first, second, both)
  low, high = percentile_interval(drawn) if resamples else (None, None)
  return MatrixPanel(rows, columns, np.ma.masked_invalid(values), counts, low, high)


class _Ranks:
  """Ranks of columns under weights, each computed once."""

  def __init__(self, wide: pd.DataFrame, weights: np.ndarray) -> None:
    self._wide, self._weights = wide, weights
    self._ranks: dict[tuple[str, bytes], np.ndarray] = {}

  def correlation(self, first: str, second: str, chosen: np.ndarray) -> np.ndarray:
    return correlation_of_ranks(
      self._ranks_of(first, chosen), self._ranks_of(second, chosen)
    )

  def _ranks_of(self, name: str, chosen: np.ndarray) -> np.ndarray:
    key = name, chosen.tobytes()
    if key not in self._ranks:
      values = self._wide[name].to_numpy()[chosen]
      self._ranks[key] = standard_ranks(values, self._weights[:, chosen])
    return self._ranks[key]
