"""Values of several methods side by side, every one a point, in many panels."""

import numpy as np

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.panel_grid import PanelGrid

_GOLDEN = 0.6180339887  # its multiples fill a strip evenly, however many there are
_MANY = 30  # points in a strip, from which on they are smaller and fainter


def strip_grid_figure(panels, *, notes=None, y_label="", caption="", size=(1.1, 1.0)):
  """Ranges of scores: figure 7 of Locatello et al. 2019.

  Strips are numbered as in the paper, and the legend says which number is which method.
  A thin line spans the range of each, a bar marks its median.

  Args:
    panels: {(row, column) or title: {name: [values]}}, see `PanelGrid`; a strip may be
      empty. Panels of a column share their y axis.
    notes: {key: text above the right end of the panel}.
    y_label: beside the panels.
    caption: a line or two below the figure.
    size: of a panel, in inches.

  Returns:
    A matplotlib Figure.
  """
  names = list(dict.fromkeys(name for strips in panels.values() for name in strips))
  colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
  tabular = all(isinstance(key, tuple) for key in panels)
  grid = PanelGrid(
    panels, size=size, share_x="all", share_y="col" if tabular else "all",
    caption=caption,
  )  # fmt: skip
  for key, strips in panels.items():
    axis = grid.axes[key]
    for place, name in enumerate(names):
      _draw(axis, place, np.asarray(strips.get(name, ()), float), colours[name])
    axis.set_xticks(range(len(names)))
    axis.set_xlim(-0.6, len(names) - 0.4)
  if y_label:
    grid.figure.supylabel(y_label, fontsize=8)
  grid.note(notes or {})
  grid.legend(
    {
      f"{place} = {name}": {
        "color": colour, "marker": "o", "linestyle": "", "markersize": 4,
      }
      for place, (name, colour) in enumerate(colours.items())
    }
  )  # fmt: skip
  return grid.figure


def _draw(axis, place, values, colour):
  if not len(values):
    return
  many = len(values) > _MANY
  spread = (np.arange(1, len(values) + 1) * _GOLDEN) % 1 - 0.5
  axis.plot([place] * 2, [values.min(), values.max()], color=colour, linewidth=0.8)
  axis.scatter(
    place + (0.6 if many else 0.3) * spread, values, s=2 if many else 7,
    color=colour, alpha=0.4 if many else 0.9, linewidths=0, zorder=3,
  )  # fmt: skip
  axis.plot(
    [place - 0.35, place + 0.35], [np.median(values)] * 2, color="black",
    linewidth=1.2, zorder=4, solid_capstyle="butt",
  )  # fmt: skip
