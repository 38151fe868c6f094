"""Heat-maps side by side on one colour scale, with the number in every cell."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import figure as mpl_figure
from matplotlib import font_manager, textpath
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from numpy import typing as npt

from disentangle_tf.plots.panel_grid import add_caption

_CHARACTER, _LEAST_CELL = 0.055, 0.21  # inches
_TITLE_SIZE, _GAP = 8, 0.12  # points; inches between panels
_WIDEST = 7.6
_EMPTY, _LINES = "#EEEEEE", "#C4C4C4"


def heat_map_grid_figure(
  panels: Mapping[str, npt.ArrayLike],
  rows: Sequence[str],
  columns: Sequence[str],
  *,
  notes: Mapping[str, str] | None = None,
  limits: tuple[float, float] = (-1.0, 1.0),
  label: str = "",
  caption: str = "",
  decimals: int = 2,
) -> mpl_figure.Figure:
  """Matrices with the same rows and columns: figures 6, 9, 10 of Locatello et al. 2019.

  Args:
    panels: {title: [rows, columns]}. Masked cells are hatched and have no number.
    rows: names of the rows.
    columns: names of the columns.
    notes: {title: text below the title}, such as "n = 1800".
    limits: (low, high) of the colours. If low is negative, white is in the middle.
    label: what the colours mean.
    caption: a line or two below the figure.
    decimals: digits after the point of the numbers in the cells.

  Returns:
    A matplotlib Figure.

  Example:
    >>> from disentangle_tf import plots
    >>> matrix = [[1.0, 0.5], [0.5, 1.0]]
    >>> names = ["MIG", "SAP"]
    >>> figure = plots.heat_map_grid_figure({"dsprites": matrix}, names, names)
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1.00', '0.50', '0.50', '1.00']
  """
  texts = {
    title: _texts(np.ma.asarray(matrix), decimals) for title, matrix in panels.items()
  }
  longest = max(len(text) for lines in texts.values() for text in lines.flat)
  cell = max(_LEAST_CELL, _CHARACTER * longest + 0.03)
  left = 0.066 * max(map(len, rows)) + 0.1
  below = 0.05 * max(map(len, columns)) + 0.15
  further = max((note.count("\n") for note in (notes or {}).values()), default=0)
  titles = {
    title: "\n".join(filter(None, [title, (notes or {}).get(title)]))
    for title in panels
  }
  width = max(cell * len(columns), *map(_title_width, titles.values())) + _GAP
  height = cell * len(rows) + 0.42 + 0.14 * further  # lines of a note
  across = max(1, min(len(panels), int((_WIDEST - left - 0.6) / width)))
  down = -(-len(panels) // across)
  across = -(-len(panels) // down)
  figure = mpl_figure.Figure(
    figsize=(
      max(left + width * across + 0.65, 3.2), height * down + below + 0.35
    ),
    layout="constrained",
  )  # fmt: skip
  grid = figure.subplots(down, across, squeeze=False)
  for place in range(len(panels), down * across):
    grid[divmod(place, across)].remove()
  axes = list(grid.ravel()[: len(panels)])
  for place, (title, matrix) in enumerate(panels.items()):
    axis = axes[place]
    shown = _draw(axis, np.ma.asarray(matrix), limits, texts[title])
    axis.set_title(titles[title], fontsize=_TITLE_SIZE, parse_math=False)
    lowest = place + across >= len(panels)
    _name_cells(
      axis,
      rows if place % across == 0 else [""] * len(rows),
      columns if lowest else [""] * len(columns),
    )
  # The colour bar is beside the top right panel, and as high.
  inches = 1 / (cell * len(columns))
  place = axes[across - 1].inset_axes([1 + 0.08 * inches, 0, 0.09 * inches, 1])
  bar = figure.colorbar(shown, cax=place)
  bar.set_label(label, fontsize=8)
  bar.ax.tick_params(labelsize=7)
  if caption:
    add_caption(figure, caption)
  return figure


def _name_cells(axis: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
  axis.set_yticks(range(len(rows)), rows)
  axis.set_xticks(range(len(columns)), columns)
  axis.tick_params(labelsize=7, length=0)
  for text in [*axis.get_xticklabels(), *axis.get_yticklabels()]:
    text.set_parse_math(False)
  for text in axis.get_xticklabels():
    text.set(rotation=45, ha="right", rotation_mode="anchor")


def _title_width(title: str) -> float:
  """Width of the longest line of a title, in inches."""
  sizes = [
    textpath.text_to_path.get_text_width_height_descent(
      line, font_manager.FontProperties(size=_TITLE_SIZE), ismath=False
    )
    for line in title.splitlines()
  ]
  return max((width for width, *_ in sizes), default=0.0) / 72


def _draw(
  axis: Axes,
  matrix: np.ma.MaskedArray,
  limits: tuple[float, float],
  texts: np.ndarray,
) -> AxesImage:
  low, high = limits
  shown = axis.imshow(
    matrix, cmap="RdBu_r" if low < 0 else "viridis", vmin=low, vmax=high
  )
  axis.spines[:].set_visible(False)
  for (row, column), value in np.ndenumerate(matrix.filled(np.nan)):
    if not np.isfinite(value):
      axis.fill(
        [column - 0.5, column + 0.5, column + 0.5, column - 0.5],
        [row - 0.5, row - 0.5, row + 0.5, row + 0.5],
        facecolor=_EMPTY, edgecolor=_LINES, hatch="////", linewidth=0,
      )  # fmt: skip
      continue
    red, green, blue, _ = shown.cmap(shown.norm(value))
    bright = 0.3 * red + 0.59 * green + 0.11 * blue
    axis.text(
      column, row, str(texts[row, column]), ha="center", va="center", size=5.5,
      color="black" if bright > 0.5 else "white",
    )  # fmt: skip
  return shown


def _texts(matrix: np.ma.MaskedArray, decimals: int) -> np.ndarray:
  """Texts of the cells [rows, columns]; "" for empty ones."""
  filled = matrix.filled(np.nan)
  texts = np.full(filled.shape, "", dtype=object)
  for place, value in np.ndenumerate(filled):
    if np.isfinite(value):
      texts[place] = f"{round(float(value), decimals) + 0.0:.{decimals}f}"
  return texts
