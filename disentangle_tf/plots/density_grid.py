"""Densities in the plane side by side, each on its own colour scale."""

from collections.abc import Mapping

import numpy as np
from matplotlib import figure as mpl_figure

from disentangle_tf.plots.panel_grid import PanelGrid

_SIZE = 1.55  # inches of a panel
_LEVELS = 4  # contours of the other density


def density_grid_figure(
  panels: Mapping[str, np.ndarray],
  extent: tuple[float, float, float, float],
  *,
  contours: Mapping[str, np.ndarray] | None = None,
  caption: str = "",
) -> mpl_figure.Figure:
  """Panels of two-dimensional densities: figure 3 of Mathieu et al. 2019.

  Args:
    panels: {title: densities [rows, columns]}, the first row at the lower edge. The
      colours of each go from white at 0 to its own highest value.
    extent: (left, right, lower, upper) of the axes.
    contours: {title: density of the same shape}, drawn as lines, such as the prior.
    caption: a line or two below the figure.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> density = np.outer([1.0, 2.0, 1.0], [1.0, 2.0, 1.0])
    >>> figure = plots.density_grid_figure({"posterior": density}, (-1, 1, -1, 1))
    >>> figure.axes[0].get_title()
    'posterior'
  """
  grid = PanelGrid(
    panels, size=(_SIZE, _SIZE + 0.25), share_x="all", share_y="all", caption=caption,
    legend_rows=0,
  )  # fmt: skip
  for title, density in panels.items():
    axis = grid.axes[title]
    axis.imshow(
      density, origin="lower", extent=extent, cmap="Blues", vmin=0, aspect="equal"
    )
    if contours and title in contours:
      lines = contours[title]
      levels = np.linspace(0, lines.max(), _LEVELS + 2)[1:-1]
      axis.contour(
        lines, levels, origin="lower", extent=extent, colors="#C44E52", linewidths=0.6
      )
  return grid.figure
