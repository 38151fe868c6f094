"""Figures of curves: strength, intervals, trade-offs, steps."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import (
  mean_intervals,
  score_against_strength,
  trade_off,
)
from disentangle_tf.studies.figures.captions import caption, present_scores
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import METRICS, merit, title

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.finished_run import FinishedRun


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


MAIN_PAPER_SCORES = {"mig": "MIG", "disentanglement": "DCI disentanglement"}


def plot_score_curves(
  finished: Sequence[FinishedRun],
  *,
  over: str,
  label: str,
  scores: Mapping[str, str] | None = None,
) -> dict[str, Figure]:
  """Scores as one setting changes: figure 9 of Michlo et al. 2023.

  If other settings were swept, the best of them is drawn for each run and value: the
  one with the highest median over seeds (the lowest, if lower scores are better).

  Args:
    finished: [`FinishedRun`].
    over: name of the swept setting of the x axis, such as a gin binding.
    label: of the x axis.
    scores: {name: title}; MIG and DCI disentanglement by default.

  Returns:
    {"score_curves": figure}.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import studies
    >>> finished = [
    ...   studies.FinishedRun(
    ...     "beta-VAE", {"BETA": beta}, seed, pathlib.Path(), {"mig": beta / 8}
    ...   )
    ...   for beta in (1, 4)
    ...   for seed in range(3)
    ... ]
    >>> titles = {"mig": "MIG"}
    >>> list(studies.plot_score_curves(finished, over="BETA", label="β", scores=titles))
    ['score_curves']
  """
  for each in finished:
    if over not in each.settings:
      raise UserError(
        f"plot_score_curves, {each.run}: {over} was not swept (but "
        f"{list(each.settings)} were)"
      )
  panels = {}
  for name, heading in _titles("plot_score_curves", scores).items():
    panels[heading] = curves = {}
    for (run, value), best in _best(finished, name, over).items():
      curves.setdefault(run, {})[value] = best
  return {"score_curves": plots.score_curves_figure(panels, label)}


def plot_score_strips(
  finished: Sequence[FinishedRun], *, scores: Mapping[str, str] | None = None
) -> dict[str, Figure]:
  """Scores of each run: figure 11 of Michlo et al. 2023.

  If settings were swept, the best of them is drawn, see `plot_score_curves`.

  Args:
    finished: [`FinishedRun`].
    scores: {name: title}; MIG and DCI disentanglement by default.

  Returns:
    {"score_strips": figure}.

  Example:
    >>> import pathlib
    >>> from disentangle_tf import studies
    >>> finished = [
    ...   studies.FinishedRun(
    ...     "beta-VAE", {"BETA": beta}, seed, pathlib.Path(), {"mig": beta / 8}
    ...   )
    ...   for beta in (1, 4)
    ...   for seed in range(3)
    ... ]
    >>> list(studies.plot_score_strips(finished, scores={"mig": "MIG"}))
    ['score_strips']
  """
  panels = {}
  for name, heading in _titles("plot_score_strips", scores).items():
    panels[heading] = {run: best for (run, _), best in _best(finished, name).items()}
  return {"score_strips": plots.score_strips_figure(panels)}


def _titles(owner: str, scores: Mapping[str, str] | None) -> Mapping[str, str]:
  """{name of a score: title of its panel}."""
  if scores is None:
    return MAIN_PAPER_SCORES
  if not isinstance(scores, dict) or not scores:
    raise UserError(f"{owner}.scores is {scores!r}: it must be {{name: title}}")
  return scores


def _best(
  finished: Sequence[FinishedRun], name: str, over: str | None = None
) -> dict[tuple[str, Any], list[float]]:
  """{(run, value of `over`): scores of the seeds at the best of all other settings}."""
  groups = {}
  for each in finished:
    others = tuple(item for item in each.settings.items() if item[0] != over)
    by_setting = groups.setdefault((each.run, each.settings.get(over or "")), {})
    by_setting.setdefault(others, []).append(_score(each, name))
  return {
    key: max(by_setting.values(), key=lambda s: merit(name, statistics.median(s)))
    for key, by_setting in groups.items()
  }


def _score(finished: FinishedRun, name: str) -> float:
  if name not in finished.scores:
    raise UserError(f"there is no score {name!r} (but {', '.join(finished.scores)})")
  return finished.scores[name]
