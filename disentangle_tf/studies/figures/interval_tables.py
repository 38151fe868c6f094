"""Matrices with their intervals as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.markdown import markdown_table
from disentangle_tf.studies.figures.captions import number_of
from disentangle_tf.studies.paper_names import title

if TYPE_CHECKING:
  from disentangle_tf.studies.analyses import MatrixPanel


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
