"""Figures 5 and 6: agreement of metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.studies.analyses.correlations import score_correlations
from disentangle_tf.studies.analyses.distributions import points_by_method
from disentangle_tf.studies.analyses.panels import MatrixPanel
from disentangle_tf.studies.figures.captions import (
  caption,
  interval_tables,
  number_of,
  number_of_points,
  present_scores,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import METRICS, in_paper_order, title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def metric_agreement(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation over models between the metrics, on each data set.

  Arguments and result are those of `score_correlations`, with the same scores in rows
  and columns: symmetric, and 1 on the diagonal of every score that varies.
  """
  return score_correlations(table, scores, scores, resamples=resamples, rng=rng)


def metric_scatter(
  table: pd.DataFrame, data: str, *, scores: Sequence[str] = tuple(METRICS)
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
  """One point per model for every two metrics, on one data set.

  Args:
    table: results table of one step per model.
    data: name of the data set; dSprites in the paper.
    scores: names.

  Returns:
    {(score of the y axis, score of the x axis): {method: [models, 2] of (x, y)}}; each
    has the models that have both scores.
  """
  wide = pivot(table[table["data"] == data], scores)
  return {
    (row, column): points_by_method(wide, wide[column], wide[row])
    for row in scores
    for column in scores
  }


def plot_metric_agreement(
  table: pd.DataFrame,
  *,
  which: str = "last",
  scores: Sequence[str] = tuple(METRICS),
  data: str | None = None,
  resamples: int = 1_000,
) -> dict[str, Figure | str]:
  """Every metric against every other on one data set, and rank correlations on all.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    scores: names.
    data: set of the scatter plots; the first in the papers' order by default.
    resamples: of the bootstrap over seeds.

  Returns:
    {"metric_scatter": figure, "metric_agreement": figure, "metric_agreement.md": the
    correlations with 95 % intervals}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_metric_agreement")
  data = data or in_paper_order(table["data"].unique())[0]
  panels = metric_agreement(table, scores=scores, resamples=resamples)
  names = [title(score) for score in scores]
  words = "Spearman's correlation × 100 over models"
  return {
    "metric_scatter": _scatter(table, data, scores),
    "metric_agreement": plots.heat_map_grid_figure(
      {title(name): 100 * panel.values for name, panel in panels.items()},
      names,
      names,
      notes={title(name): number_of(panel) for name, panel in panels.items()},
      limits=(-100.0, 100.0),
      label="rank correlation × 100",
      decimals=0,
      caption=caption(table, scores, words),
    ),
    "metric_agreement.md": interval_tables(
      panels,
      caption(table, scores, f"{words}, with 95 % bootstrap intervals over seeds"),
    ),
  }


def _scatter(table: pd.DataFrame, data: str, scores: Sequence[str]) -> Figure:
  table = table[table["data"] == data]
  points = metric_scatter(table, data, scores=scores)
  panels = {
    (title(row), title(column)): {title(m): found for m, found in groups.items()}
    for (row, column), groups in points.items()
  }
  corner = title(scores[0]), title(scores[-1])
  return plots.scatter_grid_figure(
    panels,
    notes={corner: number_of_points(panels[corner])},
    caption=caption(table, scores, f"Metrics on {title(data)}, one point per model"),
    size=(1.08, 0.95),
  )
