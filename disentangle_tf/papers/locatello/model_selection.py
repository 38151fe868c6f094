"""Figure 9: do unsupervised scores find good models?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.studies.analyses.correlations import score_correlations
from disentangle_tf.studies.analyses.panels import MatrixPanel
from disentangle_tf.studies.figures.captions import (
  caption,
  interval_tables,
  number_of,
  present_scores,
)
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import METRICS, UNSUPERVISED, title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def unsupervised_scores(
  table: pd.DataFrame,
  *,
  unsupervised: Sequence[str] = tuple(UNSUPERVISED),
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation over models of unsupervised scores with the metrics.

  The signs are those of the scores as they are: a reconstruction error is better when
  it is lower, an ELBO when it is higher.

  Args:
    unsupervised: names of the rows' scores.
    scores: names of the columns' scores.
    table, resamples, rng: see `score_correlations`, whose result is returned.
  """
  return score_correlations(table, unsupervised, scores, resamples=resamples, rng=rng)


def plot_unsupervised_scores(
  table: pd.DataFrame,
  *,
  which: str = "last",
  unsupervised: Sequence[str] = tuple(UNSUPERVISED),
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
) -> dict[str, Figure | str]:
  """Rank correlations of unsupervised scores with the metrics, one panel per data set.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    unsupervised, scores: names of the rows and of the columns.
    resamples: of the bootstrap over seeds.

  Returns:
    {"unsupervised_scores": figure, "unsupervised_scores.md": with 95 % intervals}.
  """
  table = one_step(table, which)
  rows = present_scores(table, unsupervised, "plot_unsupervised_scores")
  columns = present_scores(table, scores, "plot_unsupervised_scores")
  panels = unsupervised_scores(
    table, unsupervised=rows, scores=columns, resamples=resamples
  )
  words = "Spearman's correlation × 100 over models"
  return {
    "unsupervised_scores": plots.heat_map_grid_figure(
      {title(name): 100 * panel.values for name, panel in panels.items()},
      [title(score) for score in rows],
      [title(score) for score in columns],
      notes={title(name): number_of(panel) for name, panel in panels.items()},
      limits=(-100.0, 100.0),
      label="rank correlation × 100",
      decimals=0,
      caption=caption(table, (*rows, *columns), words),
    ),
    "unsupervised_scores.md": interval_tables(
      panels,
      caption(
        table,
        (*rows, *columns),
        f"{words}, with 95 % bootstrap intervals over seeds",
      ),
    ),
  }
