"""What each latent has to do with each factor."""

import numpy as np
from matplotlib import figure as mpl_figure

_MOST_WRITTEN = 150  # numbers in one map
_MOST_IN_A_ROW = 2


def heat_maps_figure(matrices, factor_names):
  """Maps of latents against factors, each on a colour scale of its own from 0.

  Args:
    matrices: {title: [latents, factors]}, at least one.
    factor_names: one for each factor.

  Returns:
    A matplotlib Figure.
  """
  latents, factors = next(iter(matrices.values())).shape
  width, height = max(2.2, 0.5 * factors + 1.1), 0.28 * latents + 1.3
  columns = min(len(matrices), _MOST_IN_A_ROW)
  rows = -(-len(matrices) // columns)
  figure = mpl_figure.Figure(
    figsize=(width * columns, height * rows), layout="constrained"
  )
  grid = figure.add_gridspec(rows, columns)
  for place, (title, matrix) in enumerate(matrices.items()):
    axis = figure.add_subplot(grid[place // columns, place % columns])
    _draw(figure, axis, np.asarray(matrix), title, factor_names)
    if place % columns == 0:
      axis.set_ylabel("latent", fontsize=8)
  return figure


def _draw(figure, axis, matrix, title, factor_names):
  highest = max(float(np.max(matrix)), 1e-12)
  shown = axis.imshow(matrix, cmap="viridis", vmin=0.0, vmax=highest, aspect="auto")
  axis.set_title(title, fontsize=9)
  axis.set_xticks(
    range(matrix.shape[1]), factor_names, rotation=45, ha="right", fontsize=7
  )
  every = -(-len(matrix) // 40)  # of many latents only some are numbered
  axis.set_yticks(range(0, len(matrix), every))
  axis.tick_params(axis="y", labelsize=7)
  if matrix.size <= _MOST_WRITTEN:
    for (latent, factor), value in np.ndenumerate(matrix):
      colour = "black" if value > 0.6 * highest else "white"
      axis.text(
        factor,
        latent,
        f"{round(float(value), 2) + 0.0:.2f}",
        ha="center",
        va="center",
        color=colour,
        size=6,
      )
  else:
    figure.colorbar(shown, ax=axis, shrink=0.85).ax.tick_params(labelsize=7)
