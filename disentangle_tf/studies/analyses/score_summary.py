"""Mean and standard deviation of scores: Zietlow et al. 2021, tables 1 and 3 to 5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.paper_names import METRICS, in_paper_order

if TYPE_CHECKING:
  import pandas as pd


def score_summary(
  table: pd.DataFrame, *, scores: Sequence[str] = tuple(METRICS)
) -> dict[str, tuple[MatrixPanel, MatrixPanel]]:
  """Mean and standard deviation over all models of a method on a data set.

  Args:
    table: results table of one step per model. Settings are pooled: select one of them
      first.
    scores: names.

  Returns:
    {score: (means, deviations)}, two `MatrixPanel` [methods, data sets]; deviations
    have n - 1 in the denominator, and none of a single model.
  """
  wide = pivot(table, scores)
  methods = tuple(in_paper_order(wide["method"].unique()))
  data = tuple(in_paper_order(wide["data"].unique()))
  panels = {}
  for score in scores:
    groups = wide.dropna(subset=[score]).groupby(["method", "data"])[score]
    counts, means, deviations = (
      groups.agg(function)
      .unstack()
      .reindex(index=methods, columns=data)
      .to_numpy(float)
      for function in (len, _mean, _deviation)
    )
    counts = np.nan_to_num(counts).astype(int)
    panels[score] = (
      MatrixPanel(methods, data, np.ma.masked_invalid(means), counts),
      MatrixPanel(methods, data, np.ma.masked_invalid(deviations), counts),
    )
  return panels


def _mean(values: pd.Series) -> float:
  return values.to_numpy().mean()


def _deviation(values: pd.Series) -> float:
  return values.to_numpy().std(ddof=1) if len(values) > 1 else np.nan
