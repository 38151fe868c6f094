"""A forest plot: estimates with their intervals, one below the other."""

from collections.abc import Mapping

from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes

from disentangle_tf.plots.panel_grid import PanelGrid

_ROW, _WIDTH = 0.24, 4.6  # inches
_COLOURS = {1: "#1b7837", 0: "#555555", -1: "#b2182b"}


def forest_figure(
  panels: Mapping[str, Mapping[str, tuple[float, float, float] | None]],
  *,
  notes: Mapping[str, str] | None = None,
  x_label: str = "",
  caption: str = "",
) -> mpl_figure.Figure:
  """Estimates with their intervals, one per row, beside a line at 0.

  An interval above 0 is green, one below 0 is red, and one that contains 0 is grey.

  Args:
    panels: {title: {label: (value, low, high)}}, None where there is no estimate.
    notes: {title: text above the right end of the panel}.
    x_label: text below the lowest panel.
    caption: a line or two below the figure.

  Returns:
    A matplotlib Figure.

  Example:
    >>> from disentangle_tf import plots
    >>> rows = {"beta_vae": (0.2, 0.1, 0.3), "dip_vae": None}
    >>> figure = plots.forest_figure({"MIG": rows}, x_label="difference")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['beta_vae', 'dip_vae']
  """
  most = max(len(rows) for rows in panels.values())
  grid = PanelGrid(
    panels, size=(_WIDTH, 0.3 + _ROW * most), share_x="all", caption=caption,
    legend_rows=0,
  )  # fmt: skip
  for title, rows in panels.items():
    axis = grid.axes[title]
    axis.set_title("")  # at the left: the note is at the right
    axis.set_title(title, loc="left", fontsize=8, pad=4, parse_math=False)
    axis.axvline(0, color="black", linewidth=0.6, linestyle=":")
    for place, estimate in enumerate(rows.values()):
      _draw(axis, place, estimate)
    axis.set_yticks(range(len(rows)), list(rows))
    axis.set_ylim(len(rows) - 0.4, -0.6)  # the first row on top
  for axis in grid.lowest:
    axis.set_xlabel(x_label, fontsize=8)
  grid.note(notes or {})
  return grid.figure


def _draw(axis: Axes, place: int, estimate: tuple[float, float, float] | None) -> None:
  if estimate is None:
    return
  value, low, high = estimate
  colour = _COLOURS[int(low > 0) - int(high < 0)]
  axis.plot([low, high], [place, place], color=colour, linewidth=1.5)
  axis.plot([value], [place], color=colour, marker="o", markersize=4)
