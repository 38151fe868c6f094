"""A forest plot: estimates with their intervals, one below the other."""

from disentangle_tf.plots.panel_grid import PanelGrid

_ROW, _WIDTH = 0.24, 4.6  # inches
_COLOURS = {1: "#1b7837", 0: "#555555", -1: "#b2182b"}


def forest_figure(panels, *, notes=None, x_label="", caption=""):
  """One row per estimate: a point and its interval, beside a line at 0.

  An interval above 0 is green, one below 0 is red, and one that contains 0 is grey.

  Args:
    panels: {title: {name: (value, low, high), or None where there is no estimate}}.
    notes: {title: text above the right end of the panel}.
    x_label: below the lowest panel.
    caption: a line or two below the figure.

  Returns:
    A matplotlib Figure.
  """
  most = max(len(rows) for rows in panels.values())
  grid = PanelGrid(
    panels, size=(_WIDTH, 0.3 + _ROW * most), share_x="all", caption=caption,
    legend_rows=0,
  )  # fmt: skip
  for title, rows in panels.items():
    axis = grid.axes[title]
    axis.set_title("")  # to the left, where the note leaves room
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


def _draw(axis, place, estimate):
  if estimate is None:
    return
  value, low, high = estimate
  colour = _COLOURS[int(low > 0) - int(high < 0)]
  axis.plot([low, high], [place, place], color=colour, linewidth=1.5)
  axis.plot([value], [place], color=colour, marker="o", markersize=4)
