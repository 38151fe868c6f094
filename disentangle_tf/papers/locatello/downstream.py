"""Figures 12 to 14: disentanglement and downstream tasks."""

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
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import BOOSTING, EFFICIENCY, LOGISTIC, METRICS, title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


DOWNSTREAM = (*LOGISTIC, *BOOSTING, *EFFICIENCY)


def downstream_agreement(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  downstream: Sequence[str] = DOWNSTREAM,
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation over models of the metrics with downstream accuracies.

  Args:
    scores: names of the rows' scores.
    downstream: names of the columns' scores: accuracies of both predictors at 10, 100,
      1,000 and 10,000 labels as in the paper, and both efficiencies.
    table, resamples, rng: see `score_correlations`, whose result is returned.
  """
  return score_correlations(table, scores, downstream, resamples=resamples, rng=rng)


def statistical_efficiency(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  boosting: bool = False,
  labels: tuple[int, int] = (100, 10_000),
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
  """Accuracy after few labels over that after many, against each metric.

  Args:
    table: results table of one step per model, with the two accuracies; the ratio is
      computed from them.
    scores: names of the metrics.
    boosting: True: accuracies of gradient boosted trees (figure 14); False: of logistic
      regression (figure 13).
    labels: the small and the large number of labels: 100 and 10,000 in the paper.

  Returns:
    {(data set, score): {method: [models, 2] of (score, efficiency)}}. A model whose
    accuracy after many labels is 0 has no efficiency, and no point.
  """
  end = "_gradient_boosting" if boosting else ""
  few, many = (f"accuracy_{count}{end}" for count in labels)
  wide = pivot(table, [*scores, few, many])
  panels = {}
  for data, models in split_models(wide, "data").items():
    ratio = models[few] / models[many].where(models[many] > 0)
    for score in scores:
      panels[data, score] = points_by_method(models, models[score], ratio)
  return panels


_FEW, _MANY = 100, (10_000, 1_000)  # labels; the most that there are count
_PREDICTORS = {
  False: ("logistic_regression", "logistic regression", ""),
  True: ("boosted_trees", "gradient boosted trees", "_gradient_boosting"),
}


def plot_downstream(
  table: pd.DataFrame,
  *,
  which: str = "last",
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
) -> dict[str, Figure | str]:
  """Rank correlations with accuracies, and statistical efficiency against metrics.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    scores: names of the metrics.
    resamples: of the bootstrap over seeds.

  Returns:
    {"downstream_agreement": figure, "downstream_agreement.md": with 95 % intervals};
    and, for each predictor whose accuracies at 100 and at 10,000 (or else at 1,000)
    labels the table has, "efficiency_logistic_regression" and
    "efficiency_boosted_trees".
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_downstream")
  columns = present_scores(table, DOWNSTREAM, "plot_downstream")
  panels = downstream_agreement(
    table, scores=scores, downstream=columns, resamples=resamples
  )
  shown = (*scores, *columns)
  words = "Spearman's correlation × 100 over models"
  figures = {
    "downstream_agreement": plots.heat_map_grid_figure(
      {title(name): 100 * panel.values for name, panel in panels.items()},
      [title(score) for score in scores],
      [title(score) for score in columns],
      notes={title(name): number_of(panel) for name, panel in panels.items()},
      limits=(-100.0, 100.0),
      label="rank correlation × 100",
      decimals=0,
      caption=caption(table, shown, words),
    ),
    "downstream_agreement.md": interval_tables(
      panels,
      caption(table, shown, f"{words}, with 95 % bootstrap intervals over seeds"),
    ),
  }
  for boosting, (name, words, end) in _PREDICTORS.items():
    for many in _MANY:
      needed = {f"accuracy_{_FEW}{end}", f"accuracy_{many}{end}"}
      if needed <= set(table["score"]):
        figures[f"efficiency_{name}"] = _efficiency(
          table, scores, boosting, many, words, needed
        )
        break
  return figures


def _efficiency(
  table: pd.DataFrame,
  scores: Sequence[str],
  boosting: bool,
  many: int,
  words: str,
  needed: set[str],
) -> Figure:
  found = statistical_efficiency(
    table, scores=scores, boosting=boosting, labels=(_FEW, many)
  )
  panels = {
    (title(data), title(score)): {title(m): points for m, points in groups.items()}
    for (data, score), groups in found.items()
  }
  return plots.scatter_grid_figure(
    panels,
    x_label="score",
    notes={key: number_of_points(groups) for key, groups in panels.items()},
    caption=caption(
      table,
      (*scores, *sorted(needed)),
      f"Accuracy after {_FEW} labels over that after {many:,}, of {words} (y)",
    ),
    size=(1.08, 1.05),
  )
