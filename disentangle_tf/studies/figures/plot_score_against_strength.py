"""Scores against the strength of regularisation: figure 8 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf import plots
from disentangle_tf.studies.analyses import score_against_strength
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import METRICS, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure


def plot_score_against_strength(
  table: pd.DataFrame, *, which: str = "last", scores: Sequence[str] = tuple(METRICS)
) -> dict[str, Figure | str]:
  """One column per metric, one row per data set, one line per method.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    scores: names.

  Returns:
    {"score_against_strength": figure}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_score_against_strength")
  found = score_against_strength(table, scores=scores)
  panels, notes = {}, {}
  for (data, score), methods in found.items():
    key = title(data), title(score)
    panels[key] = {title(m): (curve.x, curve.y) for m, curve in methods.items()}
    notes[key] = f"n = {sum(curve.n for curve in methods.values()):,}"
  figure = plots.curve_grid_figure(
    panels,
    x_label="strength",
    notes=notes,
    x_ticks=sorted(table["strength"].unique()),
    size=(1.08, 1.05),
    caption=caption(table, scores, "Medians over seeds"),
  )
  return {"score_against_strength": figure}
