"""Points of many models in many panels, one colour per method."""

import numpy as np

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.panel_grid import PanelGrid

_MARKERS = "osD^vP"
_MANY = 400  # points in a panel, from which on they are smaller and fainter


def scatter_grid_figure(
  panels,
  *,
  x_label="",
  y_label="",
  notes=None,
  identity=False,
  share_x="col",
  share_y="row",
  caption="",
  size=(1.1, 1.0),
):
  """Scatter plots: figures 4, 5, 11, 13 and 14 of Locatello et al. 2019.

  Args:
    panels: {(row, column) or title: {name: [points, 2]}}, see `PanelGrid`. Names have
      the same colour in all panels.
    x_label, y_label: below and beside the panels.
    notes: {key: text above the right end of the panel}, such as "n = 1800".
    identity: draw the line y = x.
    share_x, share_y: see `PanelGrid`.
    caption: a line or two below the figure.
    size: of a panel, in inches.

  Returns:
    A matplotlib Figure.
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


def _draw(axis, groups, styles, identity):
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
