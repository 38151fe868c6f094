"""Figures of distributions: violins, methods, summaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses import (
  score_against_method,
  score_distributions,
  score_summary,
)
from disentangle_tf.studies.figures.captions import (
  caption,
  number_of_points,
  present_scores,
)
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.results_table import one_step
from disentangle_tf.studies.titles import METRICS, MICHLO_METRICS, title
from disentangle_tf.text import markdown_table

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.analyses import MatrixPanel


def plot_score_violins(
  table: pd.DataFrame,
  *,
  which: str = "best",
  by: str = "data",
  halves: str = "method",
  names: Mapping[str, tuple[str, str]] | None = None,
  scores: Sequence[str] = tuple(MICHLO_METRICS),
  width: float = 0.9,
) -> dict[str, Figure | str]:
  """Densities of the scores of all models, two halves at each place.

  Args:
    table: results table.
    which: "best" evaluation of training, as in the paper, or "last".
    by, halves: "data", "method" or "setting": what the places and the halves are. Data
      sets and methods in figure 6.
    names: {method: (place, half)} instead of both, where a method's label says two
      things: {"beta-VAE, MSE": ("beta-VAE", "MSE"), ...} gives figure 11.
    scores: names.
    width: of a violin: 0.9, or 0.5 as in figure 11.

  Returns:
    {"score_violins": figure}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_score_violins")
  if names is not None:
    for method in sorted(table["method"].unique()):
      if method not in names:
        raise UserError(f"plot_score_violins.names has no method {method!r}")
    found = score_distributions(
      table, by=_labels(names, 0), halves=_labels(names, 1), scores=scores
    )
  else:
    found = score_distributions(table, by=by, halves=halves, scores=scores)
  panels = {
    title(score): {
      title(place): {title(half): each.values.tolist() for half, each in sides.items()}
      for place, sides in places.items()
    }
    for score, places in found.items()
  }
  many = {
    half for places in panels.values() for sides in places.values() for half in sides
  }
  if len(many) > 2:
    raise UserError(
      f"plot_score_violins: a violin has two halves, not {', '.join(sorted(many))}"
    )
  words = "Densities over all models, all else pooled; lines are quartiles, numbers n"
  figure = plots.split_violins_figure(
    panels, width=width, caption=caption(table, scores, words)
  )
  return {"score_violins": figure}


def _labels(
  names: Mapping[str, tuple[str, str]], part: int
) -> Callable[[pd.DataFrame], list[str]]:
  """The function of models that gives one part of their methods' names."""
  return lambda models: [names[method][part] for method in models["method"]]


def plot_score_against_method(
  table: pd.DataFrame, *, which: str = "last", scores: Sequence[str] = tuple(METRICS)
) -> dict[str, Figure | str]:
  """One column per metric, one row per data set, one strip per method.

  Args:
    table: results table.
    which: "last" or "best" evaluation of training.
    scores: names.

  Returns:
    {"score_against_method_medians": figure of one median over seeds per setting,
    "score_against_method_models": figure of every model}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_score_against_method")
  figures = {}
  for name, words in (
    ("medians", "Each point is the median over seeds of one setting of the method"),
    ("models", "Each point is a model"),
  ):
    found = score_against_method(table, scores=scores, all_models=name == "models")
    panels = {
      (title(data), title(score)): {title(m): values for m, values in methods.items()}
      for (data, score), methods in found.items()
    }
    figures[f"score_against_method_{name}"] = plots.strip_grid_figure(
      panels,
      notes={key: number_of_points(strips) for key, strips in panels.items()},
      caption=caption(table, scores, words, "Bars are medians"),
    )
  return figures


def plot_score_summary(
  table: pd.DataFrame,
  *,
  which: str = "last",
  scores: Sequence[str] = tuple(METRICS),
  published: Mapping[str, Mapping[str, Mapping[str, str]]] | None = None,
) -> dict[str, Figure | str]:
  """One table per score: mean and standard deviation of each method on each data set.

  The figure beside the tables shows every model, for a mean of few seeds hides much.

  Args:
    table: results table. Settings of a method are pooled: select one first.
    which: "last" or "best" evaluation of training.
    scores: names.
    published: {score: {method: {data set: text}}}, what a paper says of the same cells,
      to stand below ours.

  Returns:
    {"score_summary": figure of every model; "score_summary_" and the score: its table
    as a figure, ...; "score_summary.md": all tables}.
  """
  table = one_step(table, which)
  scores = present_scores(table, scores, "plot_score_summary")
  found = score_summary(table, scores=scores)
  figures, parts = {"score_summary": _strips(table, found)}, []
  for score, (means, deviations) in found.items():
    theirs = (published or {}).get(score, {})
    cells = _cells(means, deviations, theirs)
    rows, columns = ([title(n) for n in names] for names in (means.rows, means.columns))
    words = _words(table, score, theirs)
    figures[f"score_summary_{score}"] = plots.table_figure(
      cells, rows, columns, corner=title(score), caption=words
    )
    lines = [
      [name, *(cell.replace("\n", "<br>") for cell in line)]
      for name, line in zip(rows, cells, strict=True)
    ]
    parts.append(f"{markdown_table([title(score), *columns], lines)}\n\n{words}")
  return {**figures, "score_summary.md": "\n\n".join(parts) + "\n"}


def _cells(
  means: MatrixPanel, deviations: MatrixPanel, theirs: Mapping[str, Mapping[str, str]]
) -> list[list[str]]:
  """[methods][data sets] text; `theirs` is {method: {data set: text}}."""
  return [
    [
      _cell(means, deviations, row, column, theirs.get(method, {}).get(data))
      for column, data in enumerate(means.columns)
    ]
    for row, method in enumerate(means.rows)
  ]


def _cell(
  means: MatrixPanel,
  deviations: MatrixPanel,
  row: int,
  column: int,
  published: str | None,
) -> str:
  below = "" if published is None else f"\npaper {published}"
  if np.ma.getmaskarray(means.values)[row, column]:
    return f"–{below}"
  text = f"{means.values[row, column]:.2f}"
  if not np.ma.getmaskarray(deviations.values)[row, column]:
    text += f" ± {deviations.values[row, column]:.2f}"
  return f"{text} ({means.counts[row, column]}){below}"


def _words(
  table: pd.DataFrame, score: str, theirs: Mapping[str, Mapping[str, str]]
) -> str:
  return caption(
    table,
    [score],
    f"{title(score)}: mean ± standard deviation (of n − 1), and the number of models",
    _pooled(table),
    "Below, what the paper says, at the paper's size" if theirs else "",
  )


def _pooled(table: pd.DataFrame) -> str:
  """Says so if models of one method differ in more than data set and seed."""
  settings = table[["method", "setting"]].drop_duplicates()
  several = len(settings) > table["method"].nunique()
  return "Settings of a method are pooled" if several else ""


def _strips(
  table: pd.DataFrame, found: dict[str, tuple[MatrixPanel, MatrixPanel]]
) -> Figure:
  """The figure of every model: a row per method, a column per score."""
  wide, panels, notes = pivot(table, found), {}, {}
  for score, (means, _) in found.items():
    models = wide.dropna(subset=[score])
    for method in means.rows:
      key, of_method = (title(method), title(score)), models[models["method"] == method]
      panels[key] = {
        title(data): of_method.loc[of_method["data"] == data, score].to_numpy()
        for data in means.columns
      }
      notes[key] = number_of_points(panels[key])
  words = caption(table, found, "Every model; bars are medians", _pooled(table))
  return plots.strip_grid_figure(panels, notes=notes, caption=words, size=(1.4, 1.0))
