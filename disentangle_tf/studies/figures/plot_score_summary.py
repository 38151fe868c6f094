"""Mean and standard deviation of scores: Zietlow et al. 2021, tables 1 and 3 to 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf import plots
from disentangle_tf.markdown import markdown_table
from disentangle_tf.studies.analyses import score_summary
from disentangle_tf.studies.figures.captions import caption, number_of_points
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.paper_names import METRICS, title
from disentangle_tf.studies.results_table import one_step

if TYPE_CHECKING:
  import pandas as pd
  from matplotlib.figure import Figure

  from disentangle_tf.studies.analyses import MatrixPanel


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
