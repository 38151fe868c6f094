"""Curves of several methods in many panels, with bands, points and labels."""

import numpy as np

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.panel_grid import PanelGrid

_MARKERS = "osD^vP"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))


def curve_grid_figure(
  panels,
  *,
  x_label="",
  y_label="",
  points=None,
  point_labels=None,
  notes=None,
  x_ticks=None,
  log_x=False,
  y_limits=None,
  share_y="col",
  caption="",
  size=(1.5, 1.25),
):
  """Lines, one per method: figures 2, 3 and 8 of Locatello et al. 2019.

  Args:
    panels: {(row, column) or title: {name: (x, y) or (x, y, low, high)}}, see
      `PanelGrid`; with low and high there is a band, or bars if x turns back. Names
      have the same colour in all panels; a curve of no points is in the legend only.
    x_label, y_label: below and beside the panels.
    points: {key: {name: [points, 2]}} to draw as well; the curves then have no markers.
    point_labels: {key: {name: [texts]}}, one for each point of a curve.
    notes: {key: text above the right end of the panel}.
    x_ticks: places of the ticks on the x axes.
    log_x: whether the x axes are logarithmic.
    y_limits: (low, high) of all panels.
    share_y: see `PanelGrid`.
    caption: a line or two below the figure.
    size: of a panel, in inches.

  Returns:
    A matplotlib Figure.
  """
  names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
  styles = {name: _style(number) for number, name in enumerate(names)}
  grid = PanelGrid(panels, size=size, share_x="all", share_y=share_y, caption=caption)
  for key, curves in panels.items():
    axis = grid.axes[key]
    for name, curve in curves.items():
      labels = (point_labels or {}).get(key, {}).get(name)
      scattered = None if points is None else points.get(key, {}).get(name)
      _draw(axis, curve, styles[name], labels, scattered)
    if all(np.asarray(y).dtype.kind in "iu" for _, y, *_ in curves.values()):
      axis.yaxis.get_major_locator().set_params(integer=True)  # they are counts
    if log_x:
      axis.set_xscale("log")
    if x_ticks is not None:
      axis.set_xticks(x_ticks, [f"{tick:g}" for tick in x_ticks])
      axis.minorticks_off()
    if y_limits is not None:
      axis.set_ylim(*y_limits)
  for axis in grid.lowest:
    axis.set_xlabel(x_label, fontsize=8)
  if y_label:
    grid.figure.supylabel(y_label, fontsize=8)
  grid.note(notes or {})
  grid.legend({name: {**style, "markersize": 3.5} for name, style in styles.items()})
  return grid.figure


def _style(number):
  return {
    "color": COLOURS[number % len(COLOURS)],
    "marker": _MARKERS[number % len(_MARKERS)],
    "linestyle": _DASHES[number % len(_DASHES)],
    "linewidth": 1.2,
  }


def _draw(axis, curve, style, labels, scattered):
  x, y, *band = (np.asarray(part) for part in curve)
  if band and (np.diff(x) >= 0).all():
    axis.fill_between(x, *band, color=style["color"], alpha=0.18, linewidth=0)
  elif band:  # a curve that turns back would have a band that crosses itself
    axis.vlines(x, *band, color=style["color"], alpha=0.5, linewidth=1)
  marker = "" if scattered is not None else style["marker"]
  axis.plot(x, y, markersize=3, **{**style, "marker": marker})
  if scattered is not None:
    scattered = np.reshape(scattered, (-1, 2))
    axis.scatter(
      scattered[:, 0], scattered[:, 1], s=9, alpha=0.6, linewidths=0,
      color=style["color"], marker=style["marker"],
    )  # fmt: skip
  for place, text in enumerate(labels or ()):
    axis.annotate(
      text, (x[place], y[place]), xytext=(3, 3), textcoords="offset points",
      fontsize=6, color=style["color"],
    )  # fmt: skip
