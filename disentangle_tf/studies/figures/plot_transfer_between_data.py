"""Do settings transfer between data sets: figures 10, 11 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import transfer_between_data, transfer_scatter
from disentangle_tf.studies.figures.captions import caption, number_of, number_of_points
from disentangle_tf.studies.figures.interval_tables import interval_tables
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import METRICS, in_paper_order, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def plot_transfer_between_data(
  table: pd.DataFrame,
  *,
  which: str = "last",
  scores: Sequence[str] = tuple(METRICS),
  source: str | None = None,
  resamples: int = 1_000,
) -> dict[str, Figure | str]:
  """Rank correlations of settings between data sets, and one set against the others.

  Args:
    table: results table of two data sets or more.
    which: "last" or "best" evaluation of training.
    scores: names.
    source: data set of the x axes; the first in the papers' order by default.
    resamples: of the bootstrap over seeds.

  Returns:
    {"transfer_between_data": figure, "transfer_scatter": figure,
    "transfer_between_data.md": with 95 % intervals}.
  """
  table = one_step(table, which)
  data = in_paper_order(table["data"].unique())
  if len(data) < 2:
    raise UserError(f"plot_transfer_between_data needs two data sets, got {data}")
  scores = present_scores(table, scores, "plot_transfer_between_data")
  source = source or data[0]
  panels = transfer_between_data(table, scores=scores, resamples=resamples)
  names = [title(name) for name in data]
  words = "Spearman's correlation × 100 over settings, of their medians over seeds"
  return {
    "transfer_between_data": plots.heat_map_grid_figure(
      {title(score): 100 * panel.values for score, panel in panels.items()},
      names,
      names,
      notes={title(score): number_of(panel) for score, panel in panels.items()},
      limits=(-100.0, 100.0),
      label="rank correlation × 100",
      decimals=0,
      caption=caption(table, scores, f"{words}; n counts settings"),
    ),
    "transfer_scatter": _scatter(table, source, scores),
    "transfer_between_data.md": interval_tables(
      panels,
      caption(table, scores, f"{words}, with 95 % bootstrap intervals over seeds"),
    ),
  }


def _scatter(table: pd.DataFrame, source: str, scores: Sequence[str]) -> Figure:
  found = transfer_scatter(table, source=source, scores=scores)
  panels = {
    (title(data), title(score)): {title(m): points for m, points in groups.items()}
    for (data, score), groups in found.items()
  }
  words = f"Medians over seeds, one point per setting: on {title(source)} (x) and on "
  return plots.scatter_grid_figure(
    panels,
    x_label=title(source),
    notes={key: number_of_points(groups) for key, groups in panels.items()},
    share_y="col",
    caption=caption(table, scores, f"{words}another data set (y)"),
    size=(1.08, 1.05),
  )
