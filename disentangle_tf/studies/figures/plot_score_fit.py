"""Scores as one setting grows, with fitted curves: Michlo et al. 2023, figure 9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.studies.analyses import score_fit
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import MICHLO_METRICS, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.analyses import PolynomialFit

_OTHERS = {
  "pooled": "All other settings are pooled",
  "best": "Of other settings the one with the highest median is shown",
}


def plot_score_fit(
  table: pd.DataFrame,
  *,
  over: str | Mapping[str, float],
  label: str,
  which: str = "best",
  others: str | Mapping[str, Mapping[float, str]] = "pooled",
  scores: Sequence[str] = tuple(MICHLO_METRICS),
  degree: int = 4,
  resamples: int = 1_000,
) -> dict[str, Figure | str]:
  """One point per model, a polynomial through them, and its 95 % bootstrap band.

  Args:
    table: results table.
    over, others, degree, resamples: see `analyses.score_fit`.
    label: what to call the setting.
    which: "best" evaluation of training, as in the paper, or "last".
    scores: names.

  Returns:
    {"score_fit": figure}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_score_fit")
  found = score_fit(
    table, over=over, others=others, scores=scores, degree=degree, resamples=resamples
  )
  panels, points, notes = {}, {}, {}
  for score, methods in found.items():
    key = title(score)
    panels[key] = {title(m): _curve(fitted.fit) for m, fitted in methods.items()}
    points[key] = {title(m): fitted.points for m, fitted in methods.items()}
    notes[key] = f"n = {sum(len(each) for each in points[key].values())}"
  places = {x for groups in points.values() for g in groups.values() for x in g[:, 0]}
  chosen = (
    _OTHERS[others] if isinstance(others, str) else "Settings were chosen by hand"
  )
  figure = plots.curve_grid_figure(
    panels,
    x_label=label,
    y_label="score",
    points=points,
    notes=notes,
    x_ticks=sorted(places),
    share_y="all",
    size=(2.6, 2.0),
    caption=caption(
      table,
      scores,
      f"Polynomials of degree {degree} with 95 % bootstrap bands",
      chosen,
    ),
  )
  return {"score_fit": figure}


def _curve(fit: PolynomialFit) -> tuple[np.ndarray, ...]:
  if fit.low is None or fit.high is None:
    return fit.x, fit.y
  return fit.x, fit.y, fit.low, fit.high
