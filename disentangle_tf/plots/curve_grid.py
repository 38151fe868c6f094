"""Curves of several methods in many panels, with bands, points and labels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes
from numpy import typing as npt

from disentangle_tf.plots.cumulative import COLOURS
from disentangle_tf.plots.panel_grid import Key, PanelGrid, Share

_MARKERS = "osD^vP"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))


def curve_grid_figure(
  panels: Mapping[Key, Mapping[str, Sequence[npt.ArrayLike]]],
  *,
  x_label: str = "",
  y_label: str = "",
  points: Mapping[Key, Mapping[str, npt.ArrayLike]] | None = None,
  point_labels: Mapping[Key, Mapping[str, Sequence[str]]] | None = None,
  notes: Mapping[Key, str] | None = None,
  x_ticks: Sequence[float] | None = None,
  log_x: bool = False,
  y_limits: tuple[float, float] | None = None,
  share_y: Share = "col",
  caption: str = "",
  size: tuple[float, float] = (1.5, 1.25),
) -> mpl_figure.Figure:
  """Panels of curves, one per method: figures 2, 3 and 8 of Locatello et al. 2019.

  Args:
    panels: {(row, column) or title: {label: (x, y) or (x, y, low, high)}}, see
      `PanelGrid`. low and high are drawn as a band, or as bars if x turns back. A label
      has the same colour in all panels; a curve without points is only in the legend.
    x_label: text below the lowest panels.
    y_label: text at the left of the figure.
    points: {key: {label: [points, 2]}} to draw as well; curves then have no markers.
    point_labels: {key: {label: one text per point of the curve}}.
    notes: {key: text above the right end of the panel}.
    x_ticks: positions of the ticks on the x axes.
    log_x: whether the x axes are logarithmic.
    y_limits: (low, high) of all panels; by default what the curves need.
    share_y: which panels share their y axis, see `PanelGrid`.
    caption: a line or two below the figure.
    size: (width, height) of a panel in inches.

  Returns:
    A matplotlib Figure.

  Example:
    >>> from disentangle_tf import plots
    >>> curves = {"beta_vae": ([1, 2, 4], [0.1, 0.2, 0.3])}
    >>> figure = plots.curve_grid_figure({"dsprites": curves, "cars3d": curves})
    >>> [axis.get_title() for axis in figure.axes]
    ['dsprites', 'cars3d']
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
      axis.yaxis.get_major_locator().set_params(integer=True)  # these are counts
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


def _style(number: int) -> dict[str, Any]:
  return {
    "color": COLOURS[number % len(COLOURS)],
    "marker": _MARKERS[number % len(_MARKERS)],
    "linestyle": _DASHES[number % len(_DASHES)],
    "linewidth": 1.2,
  }


def _draw(
  axis: Axes,
  curve: Sequence[npt.ArrayLike],
  style: Mapping[str, Any],
  labels: Sequence[str] | None,
  scattered: npt.ArrayLike | None,
) -> None:
  x, y, *band = (np.asarray(part) for part in curve)
  if band:
    low, high = band
    if (np.diff(x) >= 0).all():
      axis.fill_between(x, low, high, color=style["color"], alpha=0.18, linewidth=0)
    else:  # the band of a curve that turns back would cross itself
      axis.vlines(x, low, high, color=style["color"], alpha=0.5, linewidth=1)
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
