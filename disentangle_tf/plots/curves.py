"""Curves with bands, cumulative curves, and the axis of a score."""

import itertools
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes
from numpy import typing as npt

from disentangle_tf.plots.panel_grid import Key, PanelGrid, Share

_MARGIN = 0.02  # of the range that is shown


def set_score_limits(axis: Axes, scores: Iterable[Sequence[float]]) -> None:
  """Show all of [0, 1] on the y axis, and more where scores lie outside.

  Args:
    axis: a matplotlib Axes.
    scores: lists of scores.
  """
  found = list(itertools.chain.from_iterable(scores))
  low, high = min([0.0, *found]), max([1.0, *found])
  margin = _MARGIN * (high - low)
  axis.set_ylim(low - margin, high + margin)


# The colours of Okabe & Ito, which colour-blind readers can tell apart.
COLOURS = (
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC79A7",
  "#E69F00",
  "#56B4E9",
  "#7F7F7F",
  "#F0E442",
)
_STYLES = ("-", "--", ":", "-.")


def cumulative_figure(distances: Mapping[str, npt.ArrayLike]) -> mpl_figure.Figure:
  """Cumulative distributions of distances: figure A1 of Michlo et al. 2023.

  Args:
    distances: {label: distances [pairs]}. The label "random" is drawn in black.

  Returns:
    A matplotlib Figure with one curve per label: the share of pairs that are at most
    this far apart.

  Example:
    >>> from disentangle_tf import plots
    >>> figure = plots.cumulative_figure({"x": [0.1, 0.4], "random": [0.2, 0.3]})
    >>> [line.get_label() for line in figure.axes[0].lines]
    ['x', 'random']
  """
  figure = mpl_figure.Figure(figsize=(4.2, 2.6), layout="constrained")
  axis = figure.subplots()
  coloured = 0
  for name, values in distances.items():
    if name == "random":
      colour, style, width = "black", "-", 1.4
    else:
      colour = COLOURS[coloured % len(COLOURS)]
      style = _STYLES[coloured % len(_STYLES)]
      width = max(1.0, 3.0 - 0.5 * coloured)  # so that those below stay visible
      coloured += 1
    values = np.sort(values)
    share = np.arange(1, len(values) + 1) / len(values)
    axis.step(
      np.append(0.0, values), np.append(0.0, share),
      where="post", color=colour, linestyle=style, label=name,
      linewidth=width,
    )  # fmt: skip
  axis.set_xlabel("perceived distance", fontsize=8)
  axis.set_ylabel("share of pairs", fontsize=8)
  axis.set_xlim(left=0.0)
  axis.set_ylim(0.0, 1.02)
  axis.tick_params(labelsize=7)
  axis.spines[["top", "right"]].set_visible(False)
  figure.legend(fontsize=7, frameon=False, loc="outside right upper")
  return figure


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


_SERIES_MARKERS = "osD^v"  # five, so that with eight colours the first 40 curves differ
_MOST_INSIDE = 4  # curves whose legend fits into the first panel


def score_curves_figure(
  panels: Mapping[str, Mapping[str, Mapping[float, Sequence[float]]]], label: str
) -> mpl_figure.Figure:
  """Scores over a setting, medians as lines: figure 9 of Michlo et al. 2023.

  Args:
    panels: {title: {label: {value of the setting: scores}}}. The y axis shows [0, 1],
      and more if scores lie outside.
    label: the setting's name.

  Returns:
    A matplotlib Figure. Each score is a point.

  Example:
    >>> from disentangle_tf import plots
    >>> curves = {"beta_vae": {1: [0.1, 0.2, 0.6], 4: [0.3]}}
    >>> figure = plots.score_curves_figure({"MIG": curves}, "beta")
    >>> figure.axes[0].lines[0].get_ydata()
    array([0.2, 0.3])
  """
  inside = max(map(len, panels.values())) <= _MOST_INSIDE
  width = 2.6 * len(panels) + (0.4 if inside else 1.6)
  figure = mpl_figure.Figure(figsize=(width, 2.4), layout="constrained")
  axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
  for axis, (title, curves) in zip(axes, panels.items(), strict=True):
    for number, (name, scores) in enumerate(curves.items()):
      style = {
        "color": COLOURS[number % len(COLOURS)],
        "marker": _SERIES_MARKERS[number % len(_SERIES_MARKERS)],
      }
      medians = [statistics.median(scores[value]) for value in scores]
      axis.plot(list(scores), medians, markersize=4, linewidth=1.4, label=name, **style)
      for value, each in scores.items():
        axis.scatter([value] * len(each), each, s=6, alpha=0.5, **style)
    axis.set_title(title, fontsize=9)
    axis.set_xlabel(label, fontsize=8)
    axis.set_xticks(sorted({value for scores in curves.values() for value in scores}))
    axis.tick_params(labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)
  # All panels share this axis.
  set_score_limits(
    axes[0], [s for c in panels.values() for name in c.values() for s in name.values()]
  )
  axes[0].set_ylabel("score", fontsize=8)
  if inside:
    axes[0].legend(fontsize=7, frameon=False)
  else:
    labelled = axes[0].get_legend_handles_labels()
    figure.legend(*labelled, fontsize=7, frameon=False, loc="outside right upper")
  return figure
