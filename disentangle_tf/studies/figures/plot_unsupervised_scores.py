"""Can unsupervised scores select a model: figure 9 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import unsupervised_scores
from disentangle_tf.studies.figures.captions import caption, number_of
from disentangle_tf.studies.figures.interval_tables import interval_tables
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import METRICS, UNSUPERVISED, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


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
