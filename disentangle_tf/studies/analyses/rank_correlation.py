"""Spearman's rank correlation, of a sample and of its bootstrap resamples."""

from __future__ import annotations

from typing import overload

import numpy as np


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
