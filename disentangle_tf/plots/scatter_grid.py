"""Points of many models in many panels, one colour per method."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.panel_grid import Key, PanelGrid, Share

_MARKERS = "osD^vP"
_MANY = 400  # panels of more points draw them smaller and fainter


def scatter_grid_figure(
  panels: Mapping[Key, Mapping[str, np.ndarray]],
  *,
  x_label: str = "",
  y_label: str = "",
  notes: Mapping[Key, str] | None = None,
  identity: bool = False,
  share_x: Share = "col",
  share_y: Share = "row",
  caption: str = "",
  size: tuple[float, float] = (1.1, 1.0),
) -> mpl_figure.Figure:
  """Panels of points: figures 4, 5, 11, 13 and 14 of Locatello et al. 2019.

  Args:
    panels: {(row, column) or title: {label: [points, 2]}}, see `PanelGrid`. A label has
      the same colour in all panels.
    x_label: text below the lowest panels.
    y_label: text at the left of the figure.
    notes: {key: text above the right end of the panel}, such as "n = 1800".
    identity: draw the line y = x.
    share_x: which panels share their x axis, see `PanelGrid`.
    share_y: the same for the y axis.
    caption: a line or two below the figure.
    size: (width, height) of a panel in inches.

  Returns:
    A matplotlib Figure.

  Example:
    >>> import numpy as np
    >>> from disentangle_tf import plots
    >>> points = {"beta_vae": np.array([[0.1, 0.2], [0.3, 0.5]])}
    >>> figure = plots.scatter_grid_figure({("MIG", "SAP"): points}, identity=True)
    >>> figure.axes[0].get_title(), figure.axes[0].get_ylabel()
    ('SAP', 'MIG')
  """
  names = list(dict.fromkeys(name for groups in panels.values() for name in groups))
  styles = {
    name: {
      "color": COLOURS[number % len(COLOURS)],
      "marker": _MARKERS[number % len(_MARKERS)],
    }
    for number, name in enumerate(names)
  }
  grid = PanelGrid(panels, size=size, share_x=share_x, share_y=share_y, caption=caption)
  for key, groups in panels.items():
    _draw(grid.axes[key], groups, styles, identity)
  for axis in grid.lowest:
    axis.set_xlabel(x_label, fontsize=8)
  if y_label:
    grid.figure.supylabel(y_label, fontsize=8)
  legend = {"linestyle": "", "markersize": 4}
  grid.note(notes or {})
  grid.legend({name: {**style, **legend} for name, style in styles.items()})
  return grid.figure


def _draw(
  axis: Axes,
  groups: Mapping[str, np.ndarray],
  styles: Mapping[str, Mapping[str, Any]],
  identity: bool,
) -> None:
  many = sum(map(len, groups.values())) > _MANY
  for name, points in groups.items():
    points = np.reshape(points, (-1, 2))
    axis.scatter(
      points[:, 0],
      points[:, 1],
      s=3 if many else 6,
      alpha=0.35 if many else 0.7,
      linewidths=0,
      label=name,
      **styles[name],
    )
  if identity:
    axis.axline((0, 0), slope=1, color="black", linewidth=0.8, linestyle="--", zorder=0)
  axis.locator_params(nbins=3)
