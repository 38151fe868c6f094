"""Densities and directions in the plane."""

from collections.abc import Mapping

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes

from disentangle_tf.plots.curves import COLOURS
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


_PANEL_SIZE = (2.0, 2.15)  # inches of a panel
_LENGTH = 0.13  # of a direction, as a share of the cloud's width
_OF_LATENTS = ("black", COLOURS[1])
_BLEND = 0.8  # how far colours go from dark to bright


def direction_grid_figure(
  points: np.ndarray,
  directions: Mapping[str, tuple[np.ndarray, np.ndarray]],
  codes: Mapping[str, np.ndarray],
  *,
  notes: Mapping[str, str] | None = None,
  caption: str = "",
) -> mpl_figure.Figure:
  """Directions in a cloud of points, above its codes: figure 1 of Zietlow et al. 2021.

  A point and its code have the same colour, which depends on the point's position.

  Args:
    points: [N, 2].
    directions: {title: (positions [K, 2], matrices [K, 2, 2])}. The columns of each
      matrix are drawn at its position, all with the same length.
    codes: {title: [N, 2]}.
    notes: {title: text above the cloud}.
    caption: a line or two below the figure.

  Returns:
    A matplotlib Figure with two panels per title.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> points = np.array([[0.0, 0.0], [1.0, 2.0]])
    >>> directions = {"pca": (points[:1], np.eye(2)[None])}
    >>> figure = plots.direction_grid_figure(points, directions, {"pca": points})
    >>> [axis.get_ylabel() for axis in figure.axes]
    ['points', 'codes']
  """
  rows = ("points", "codes")
  keys = [(row, title) for row in rows for title in directions]
  grid = PanelGrid(keys, size=_PANEL_SIZE, caption=caption)
  colours, width = _colours(points), np.ptp(points)
  for title, (places, matrices) in directions.items():
    above, below = (grid.axes[row, title] for row in rows)
    _scatter(above, points, colours)
    _draw_directions(above, places, matrices, _LENGTH * width / 2)
    _scatter(below, codes[title], colours)
    for axis in (above, below):
      axis.set_aspect("equal", adjustable="datalim")
      axis.locator_params(nbins=5)
  grid.note({("points", title): text for title, text in (notes or {}).items()})
  grid.legend(
    {
      f"latent {number}": {"color": colour, "linewidth": 1.8}
      for number, colour in enumerate(_OF_LATENTS)
    }
  )
  return grid.figure


def _colours(points: np.ndarray) -> np.ndarray:
  """Colours [N, 3]: red grows to the right, blue upwards."""
  span = np.maximum(np.ptp(points, axis=0), np.finfo(float).tiny)
  across, up = (_BLEND * (points - points.min(axis=0)) / span).T
  return np.stack([0.1 + across, np.full(len(points), 0.55), 0.1 + up], axis=1)


def _scatter(axis: Axes, points: np.ndarray, colours: np.ndarray) -> None:
  axis.scatter(points[:, 0], points[:, 1], s=1.5, c=colours, alpha=0.6, linewidths=0)


def _draw_directions(
  axis: Axes, places: np.ndarray, matrices: np.ndarray, half: float
) -> None:
  for place, matrix in zip(places, matrices, strict=True):
    for column, colour in zip(matrix.T, _OF_LATENTS, strict=True):
      length = np.linalg.norm(column)
      if length:
        ends = place + half * np.outer([-1, 1], column / length)
        axis.plot(ends[:, 0], ends[:, 1], color=colour, linewidth=1.1, zorder=3)
