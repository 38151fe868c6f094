"""Figures of fitted curves and of scores against weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.arguments import check_weight
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import (
  Curve,
  models_at_least,
  score_against_weight,
  score_fit,
)
from disentangle_tf.studies.figures.captions import caption, present_scores
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import METRICS, MICHLO_METRICS, title

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


_OWNER = "plot_score_against_weight"
_NONE = np.zeros(0)
_NOTHING = Curve(x=_NONE, y=_NONE, counts=_NONE.astype(int), low=_NONE, high=_NONE)


def plot_score_against_weight(
  table: pd.DataFrame,
  *,
  weights: Mapping[str, tuple[str, float]] | None = None,
  at_least: Mapping[str, float] | None = None,
  scores: Sequence[str] = tuple(METRICS),
  which: str = "last",
) -> dict[str, Figure | str]:
  """One row per method, one column per score, one line per data set.

  Args:
    table: results table.
    weights: {method: (name of its swept setting, the value that counts as 1)}; None:
      all methods, by strength. See `analyses.score_against_weight`.
    at_least: {score: value}; models with less are left out, and the figure says how
      many: "3/5" at a point of which three of five models are left. The paper asks for
      as many active latents as there are factors. None: all models.
    scores: names.
    which: "last" or "best" evaluation of training.

  Returns:
    {"score_against_weight": figure}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, _OWNER)
  kept = _kept(table, at_least)
  found, whole = (
    score_against_weight(some, scores=scores, weights=weights) for some in (kept, table)
  )
  if not whole:
    raise UserError(
      f"{_OWNER}.weights names no method of the table ({list(weights or ())})"
    )
  panels, labels, notes = _panels(found, whole)
  figure = plots.curve_grid_figure(
    panels,
    x_label="strength" if weights is None else "scaled weight",
    point_labels=labels,
    notes=notes,
    x_ticks=sorted({x for sets in whole.values() for c in sets.values() for x in c.x}),
    log_x=weights is not None,
    size=(1.9, 1.4),
    caption=caption(
      table,
      scores,
      "Means over seeds; bands are one standard deviation (of n − 1)",
      _left_out(table, kept, at_least),
    ),
  )
  return {"score_against_weight": figure}


def _panels(
  found: dict[tuple[str, str], dict[str, Curve]],
  whole: dict[tuple[str, str], dict[str, Curve]],
) -> tuple[dict, dict, dict]:
  """(curves, labels of their points, notes) of what is left, and of all models."""
  panels, labels, notes = {}, {}, {}
  for key, sets in whole.items():
    named = tuple(map(title, key))
    panels[named], labels[named], counts = {}, {}, []
    for data, of_all in sets.items():
      curve = found.get(key, {}).get(data, _NOTHING)
      panels[named][title(data)] = (curve.x, curve.y, curve.low, curve.high)
      labels[named][title(data)] = _labels(curve, of_all)
      counts.append(f"{title(data)} {_share(curve.n, of_all.n)}")
    notes[named] = ", ".join(counts)
  return panels, labels, notes


def _kept(table: pd.DataFrame, at_least: Mapping[str, float] | None) -> pd.DataFrame:
  """The table without the models that have too little of a score."""
  if at_least is None:
    return table
  if not isinstance(at_least, dict):
    raise UserError(f"{_OWNER}.at_least is {at_least!r}: it must be {{score: value}}")
  for score, least in at_least.items():
    check_weight(f"{_OWNER}.at_least", **{score: least})
    present_scores(table, (score,), _OWNER)
    table, _ = models_at_least(table, score=score, least=least)
  return table


def _labels(curve: Curve, whole: Curve) -> list[str]:
  """How many models of each point are left, where it is not all of them."""
  planned = dict(zip(whole.x.tolist(), whole.counts.tolist(), strict=True))
  pairs = zip(curve.x.tolist(), curve.counts.tolist(), strict=True)
  return [f"{n}/{planned[x]}" if n < planned[x] else "" for x, n in pairs]


def _share(left: int, of: int) -> str:
  return f"{left}" if left == of else f"{left} of {of}"


def _left_out(
  table: pd.DataFrame, kept: pd.DataFrame, at_least: Mapping[str, float] | None
) -> str:
  if at_least is None:
    return ""
  least = ", ".join(
    f"{title(score)} below {value:g}" for score, value in at_least.items()
  )
  count = table["run"].nunique() - kept["run"].nunique()
  return f"{count:,} models are left out ({least})"
