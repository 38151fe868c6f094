"""Matrices in rows and columns, each on its own colour scale."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import figure as mpl_figure


def matrix_rows_figure(
  rows: Mapping[str, Sequence[np.ndarray]], titles: Sequence[str]
) -> mpl_figure.Figure:
  """Rows of square matrices: figures 3, 4, 8 and 10 of Michlo et al. 2023.

  Each matrix has its own colour scale from 0 to its largest entry, which is written
  below it: the pattern matters, and scales differ between rows.

  Args:
    rows: {label: matrices}, all rows of the same length; NaN stays white.
    titles: one for each column.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> figure = plots.matrix_rows_figure({"perceived": [2 * np.eye(3)]}, ["x"])
    >>> figure.axes[0].get_ylabel(), figure.axes[0].get_xlabel()
    ('perceived', 'max 2')
  """
  figure = mpl_figure.Figure(
    figsize=(1.15 * len(titles) + 0.4, 1.32 * len(rows) + 0.3), layout="constrained"
  )
  axes = figure.subplots(len(rows), len(titles), squeeze=False)
  for line, (label, matrices) in zip(axes, rows.items(), strict=True):
    line[0].set_ylabel(label, fontsize=8)
    for axis, matrix in zip(line, matrices, strict=True):
      highest = max(float(np.nanmax(matrix)), 1e-12)
      axis.imshow(matrix, cmap="viridis", vmin=0.0, vmax=highest)
      axis.set_xticks([])
      axis.set_yticks([])
      axis.set_xlabel(f"max {highest:.3g}", fontsize=6)
  for axis, title in zip(axes[0], titles, strict=True):
    axis.set_title(title, fontsize=8)
  return figure
