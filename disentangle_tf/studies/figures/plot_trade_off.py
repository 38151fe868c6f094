"""One score against another as a setting changes: Mathieu et al. 2019, figure 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import trade_off
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def plot_trade_off(
  table: pd.DataFrame,
  *,
  x: str = "reconstruction_nats",
  y: str = "factor_vae_eval_accuracy",
  over: str | None = None,
  which: str = "last",
) -> dict[str, Figure | str]:
  """One panel per data set, one line per method, one labelled point per value.

  Args:
    table: results table.
    x, y: names of the scores.
    over: name of the swept setting that labels the points; None: the strength.
    which: "last" or "best" evaluation of training.

  Returns:
    {"trade_off": figure}.
  """
  table = one_step(table, which)
  for score in (x, y):
    present_scores(table, (score,), "plot_trade_off")
  found = trade_off(table, x=x, y=y, over=over)
  panels, labels, notes = {}, {}, {}
  for data, methods in found.items():
    key = title(data)
    panels[key] = {
      title(m): (curve.x, curve.y, curve.low, curve.high)
      for m, curve in methods.items()
    }
    labels[key] = {title(m): curve.labels for m, curve in methods.items()}
    notes[key] = f"n = {sum(curve.n for curve in methods.values()):,}"
  swept = f"values of {over}" if over else "strengths"
  figure = plots.curve_grid_figure(
    panels,
    x_label=title(x),
    y_label=title(y),
    point_labels=labels,
    notes=notes,
    share_y="all",
    size=(2.8, 2.2),
    caption=caption(
      table,
      (x, y),
      f"Means over networks, labelled by {swept}; bands or bars are 95 % t-intervals",
    ),
  )
  return {"trade_off": figure}
