"""A row of matrices on one colour scale, such as distances along each factor."""

from collections.abc import Sequence

import numpy as np
from matplotlib import figure as mpl_figure


def matrices_figure(
  matrices: Sequence[np.ndarray], titles: Sequence[str], *, label: str
) -> mpl_figure.Figure:
  """A row of square matrices on one colour scale.

  Args:
    matrices: arrays [values, values], at least one; NaN stays white.
    titles: one for each.
    label: what the colours mean.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> matrices = [np.eye(3), np.ones([4, 4])]
    >>> figure = plots.matrices_figure(matrices, ["x", "y"], label="distance")
    >>> [axis.get_title() for axis in figure.axes[:2]]
    ['x', 'y']
  """
  figure = mpl_figure.Figure(
    figsize=(1.5 * len(matrices) + 0.9, 1.9), layout="constrained"
  )
  axes = figure.subplots(1, len(matrices), squeeze=False)[0]
  highest = max(np.nanmax(matrix) for matrix in matrices)
  for axis, matrix, title in zip(axes, matrices, titles, strict=True):
    shown = axis.imshow(matrix, cmap="viridis", vmin=0.0, vmax=highest)
    axis.set_title(title, fontsize=9)
    axis.set_xticks([0, len(matrix) - 1])
    axis.set_yticks([0, len(matrix) - 1])
    axis.tick_params(labelsize=7)
  bar = figure.colorbar(shown, ax=list(axes), shrink=0.85)
  bar.set_label(label, fontsize=8)
  bar.ax.tick_params(labelsize=7)
  return figure
