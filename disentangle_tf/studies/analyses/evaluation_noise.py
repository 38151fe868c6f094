"""Noise of a metric's evaluation: the extended study of Locatello et al. 2020."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.rank_correlation import rank_correlation
from disentangle_tf.studies.model_scores import pivot, score_values
from disentangle_tf.studies.paper_names import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


def evaluation_noise(
  table: pd.DataFrame, repeats: Mapping[str, Sequence[str]]
) -> tuple[MatrixPanel, MatrixPanel]:
  """Variance of repeated evaluations over that between models; how rankings agree.

  Every metric was taken R times of the same models, with other seeds of evaluation.

  Args:
    table: results table of one step per model.
    repeats: {metric: names of its repeats' scores, two or more}. A model counts for
      a metric if it has all of its repeats.

  Returns:
    (ratios, agreement), two `MatrixPanel` [data sets, metrics]:
    ratios: (mean over models of the variance over repeats) / (variance between models,
      without the share that is noise): 0 for an exact metric. Empty where models differ
      no more than repeats do.
    agreement: mean over pairs of repeats of Spearman's correlation over models.
  """
  data, metrics = tuple(in_paper_order(table["data"].unique())), tuple(repeats)
  shape = (len(data), len(metrics))
  ratios, agreement = np.full(shape, np.nan), np.full(shape, np.nan)
  counts = np.zeros(shape, int)
  for column, metric in enumerate(metrics):
    wide = pivot(table, repeats[metric]).dropna()
    for row, name in enumerate(data):
      values = score_values(wide[wide["data"] == name], repeats[metric])
      counts[row, column] = len(values)
      if len(values) > 1:
        ratios[row, column] = noise_ratio(values)
        agreement[row, column] = _agreement(values)
  return (
    MatrixPanel(data, metrics, np.ma.masked_invalid(ratios), counts),
    MatrixPanel(data, metrics, np.ma.masked_invalid(agreement), counts),
  )


def noise_ratio(values: np.ndarray) -> float:
  """Variance within rows over variance between rows of [models, repeats], or NaN."""
  noise = values.var(axis=1, ddof=1).mean()
  between = values.mean(axis=1).var(ddof=1) - noise / values.shape[1]
  return float(noise / between) if between > 0 else np.nan


def _agreement(values: np.ndarray) -> float:
  pairs = [
    rank_correlation(first, second)
    for first, second in itertools.combinations(values.T, 2)
  ]
  return float(np.mean(pairs))
