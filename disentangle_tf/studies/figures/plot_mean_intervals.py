"""Means with t-intervals as a setting changes: Mathieu et al. 2019, figure 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import mean_intervals
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def plot_mean_intervals(
  table: pd.DataFrame,
  *,
  scores: Sequence[str],
  over: str | None = None,
  label: str = "strength",
  which: str = "last",
) -> dict[str, Figure | str]:
  """One panel per score, one row per data set, one line per method.

  Args:
    table: results table.
    scores: names: sparsity, reconstruction and divergence in the paper.
    over: name of the swept setting of the x axis; None: the strength.
    label: what to call it.
    which: "last" or "best" evaluation of training.

  Returns:
    {"mean_intervals": figure}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_mean_intervals")
  found = mean_intervals(table, scores=scores, over=over)
  panels, notes = {}, {}
  for (data, score), methods in found.items():
    key = title(data), title(score)
    panels[key] = {
      title(m): (curve.x, curve.y, curve.low, curve.high)
      for m, curve in methods.items()
    }
    notes[key] = f"n = {sum(curve.n for curve in methods.values()):,}"
  figure = plots.curve_grid_figure(
    panels,
    x_label=label,
    notes=notes,
    share_y="col",
    size=(2.1, 1.7),
    caption=caption(table, scores, "Means over networks; bands are 95 % t-intervals"),
  )
  return {"mean_intervals": figure}
