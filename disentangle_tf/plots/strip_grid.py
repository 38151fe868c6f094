"""Values of several methods side by side as points, in many panels."""

from collections.abc import Mapping

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes
from numpy import typing as npt

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.panel_grid import Key, PanelGrid

_GOLDEN = 0.6180339887  # its multiples fill a strip evenly, for any number of points
_MANY = 30  # strips of more points draw them smaller and fainter


def strip_grid_figure(
  panels: Mapping[Key, Mapping[str, npt.ArrayLike]],
  *,
  notes: Mapping[Key, str] | None = None,
  y_label: str = "",
  caption: str = "",
  size: tuple[float, float] = (1.1, 1.0),
) -> mpl_figure.Figure:
  """Ranges of scores: figure 7 of Locatello et al. 2019.

  Strips are numbered as in the paper; the legend names the method of each number. A
  thin line spans the range of a strip, and a bar marks its median.

  Args:
    panels: {(row, column) or title: {label: values}}, see `PanelGrid`. A strip may be
      empty. Panels of a column share their y axis.
    notes: {key: text above the right end of the panel}.
    y_label: text at the left of the figure.
    caption: a line or two below the figure.
    size: (width, height) of a panel in inches.

  Returns:
    A matplotlib Figure.

  Example:
    >>> from disentangle_tf import plots
    >>> strips = {"beta_vae": [0.1, 0.3], "factor_vae": [0.2, 0.6]}
    >>> figure = plots.strip_grid_figure({("dsprites", "MIG"): strips})
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['0 = beta_vae', '1 = factor_vae']
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


def _draw(axis: Axes, place: int, values: np.ndarray, colour: str) -> None:
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
