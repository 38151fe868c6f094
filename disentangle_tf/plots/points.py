"""Scatter plots and strips of points."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes
from numpy import typing as npt

from disentangle_tf.plots.curves import COLOURS, set_score_limits
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


_GOLDEN = 0.6180339887  # its multiples fill a strip evenly, for any number of points
_MANY_POINTS = 30  # strips of more points draw them smaller and fainter


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
      _draw_strips(axis, place, np.asarray(strips.get(name, ()), float), colours[name])
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


def _draw_strips(axis: Axes, place: int, values: np.ndarray, colour: str) -> None:
  if not len(values):
    return
  many = len(values) > _MANY_POINTS
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


def score_strips_figure(
  panels: Mapping[str, Mapping[str, Sequence[float]]],
) -> mpl_figure.Figure:
  """Every score as a point, medians as bars: figure 11 of Michlo et al. 2023.

  Args:
    panels: {title: {label: scores}}, the same labels in all panels. A label starts a
      new line after each comma. The y axis shows [0, 1], and more if scores lie
      outside.

  Returns:
    A matplotlib Figure.

  Example:
    >>> from disentangle_tf import plots
    >>> strips = {"vae": [0.1, 0.2, 0.6], "beta_vae, 4": [0.3, 0.5]}
    >>> figure = plots.score_strips_figure({"MIG": strips})
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['0.20', '0.40']
  """
  names = list(next(iter(panels.values())))
  figure = mpl_figure.Figure(
    figsize=((0.65 * len(names) + 0.7) * len(panels), 2.4), layout="constrained"
  )
  axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
  for axis, (title, strips) in zip(axes, panels.items(), strict=True):
    for place, name in enumerate(names):
      scores = strips[name]
      spread = np.linspace(-0.12, 0.12, len(scores)) if len(scores) > 1 else [0.0]
      colour = COLOURS[place % len(COLOURS)]
      axis.scatter(place + np.asarray(spread), scores, s=14, color=colour, zorder=3)
      median = statistics.median(scores)
      axis.plot([place - 0.3, place + 0.3], [median] * 2, color=colour, linewidth=1.8)
      axis.text(place + 0.33, median, f"{median:.2f}", va="center", fontsize=6)
    axis.set_title(title, fontsize=9)
    lines = [name.replace(", ", "\n") for name in names]
    axis.set_xticks(range(len(names)), lines, fontsize=7)
    axis.set_xlim(-0.6, len(names) - 0.3)
    axis.tick_params(axis="y", labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)
  set_score_limits(axes[0], [s for strips in panels.values() for s in strips.values()])
  axes[0].set_ylabel("score", fontsize=8)
  return figure
