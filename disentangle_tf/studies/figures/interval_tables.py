"""Matrices with their intervals as Markdown."""

import numpy as np

from disentangle_tf.markdown import markdown_table
from disentangle_tf.studies.figures.captions import number_of
from disentangle_tf.studies.paper_names import title


def interval_tables(panels, words):
  """One Markdown table per panel, each cell "value [low, high]", or "–" if empty.

  Args:
    panels: {name: `MatrixPanel`}.
    words: caption below all.
  """
  parts = []
  for name, panel in panels.items():
    rows = [
      [title(row), *(interval_cell(panel, i, j) for j in range(len(panel.columns)))]
      for i, row in enumerate(panel.rows)
    ]
    head = ["", *(title(column) for column in panel.columns)]
    parts.append(
      f"**{title(name)}** ({number_of(panel)})\n\n{markdown_table(head, rows)}"
    )
  return "\n\n".join([*parts, words]) + "\n"


def interval_cell(panel, row, column, *, factor=1, decimals=2):
  """The text of one cell of a `MatrixPanel`."""
  if np.ma.getmaskarray(panel.values)[row, column]:
    return "–"
  value = f"{factor * panel.values[row, column] + 0.0:.{decimals}f}"
  if panel.low is None:
    return value
  low, high = (factor * bound[row, column] for bound in (panel.low, panel.high))
  return f"{value} [{low:.{decimals}f}, {high:.{decimals}f}]"
