"""Captions, interval tables, and the scores at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.results_table import missing_models, select
from disentangle_tf.studies.titles import title
from disentangle_tf.text import markdown_table

if TYPE_CHECKING:
  import pandas as pd

  from disentangle_tf.studies.analyses import MatrixPanel


def present_scores(
  table: pd.DataFrame, scores: Iterable[str], owner: str
) -> tuple[str, ...]:
  """The scores that the table has, in this order; at least one.

  Args:
    table: results table.
    scores: names.
    owner: name of the function, for the error.
  """
  known = set(table["score"])
  present = tuple(score for score in scores if score in known)
  if not present:
    shown = ", ".join(sorted(known)) or "none"
    raise UserError(f"{owner} needs one of {', '.join(scores)}; the table has {shown}")
  return present


_WHICH = {
  "best": "Best evaluation of each training (biased upwards)",
  "last": "Last evaluation of each training",
}


def caption(table: pd.DataFrame, scores: Iterable[str], *words: str) -> str:
  """The caption of a figure: sentences, then the number of its models.

  Args:
    table: results table of one step per model.
    scores: names of the scores that the figure shows.
    words: sentences without a full stop; empty ones are left out.
  """
  shown = select(table, score=list(scores))
  missing = missing_models(table, shown["score"].unique())
  count = f"{shown['run'].nunique():,} models"
  if missing:
    count += f"; {missing:,} are missing or lack a score"
  sentences = [*words, _WHICH[table.attrs["taken"]], count]
  return "".join(f"{sentence}. " for sentence in sentences if sentence).strip()


def number_of(panel: MatrixPanel, things: str = "") -> str:
  """The n of a `MatrixPanel`: "n = 60", or "n = 48–60" if cells differ.

  Args:
    panel: `MatrixPanel`.
    things: name of the counted things, such as "settings".
  """
  fewest, most = panel.n
  shown = f"{most:,}" if fewest == most else f"{fewest:,}–{most:,}"
  empty = f", {panel.num_empty} empty" if panel.num_empty else ""
  return f"n = {shown}{f' {things}' if things else ''}{empty}"


def number_of_points(groups: Mapping[str, Sized]) -> str:
  """The n of {name: points or values}."""
  return f"n = {sum(map(len, groups.values())):,}"


def interval_tables(panels: Mapping[str, MatrixPanel], words: str) -> str:
  """One Markdown table per panel, cells "value [low, high]" times 100, "–" if empty.

  Args:
    panels: {name: `MatrixPanel`}.
    words: caption below all.
  """
  parts = []
  for name, panel in panels.items():
    rows = [
      [
        title(row),
        *(interval_cell(panel, i, j, factor=100) for j in range(len(panel.columns))),
      ]
      for i, row in enumerate(panel.rows)
    ]
    head = ["", *(title(column) for column in panel.columns)]
    parts.append(
      f"**{title(name)}** ({number_of(panel)})\n\n{markdown_table(head, rows)}"
    )
  return "\n\n".join([*parts, words]) + "\n"


def interval_cell(
  panel: MatrixPanel, row: int, column: int, *, factor: float = 1, decimals: int = 0
) -> str:
  """The text of one cell of a `MatrixPanel`."""
  if np.ma.getmaskarray(panel.values)[row, column]:
    return "–"
  bounds = () if panel.low is None else (panel.low, panel.high)
  value, *bounds = (
    f"{round(float(factor * cells[row, column]), decimals) + 0.0:.{decimals}f}"
    for cells in (panel.values, *bounds)
  )
  return f"{value} [{', '.join(bounds)}]" if bounds else value
