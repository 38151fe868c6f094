"""A figure of many small panels: titles, names of rows, legend and caption."""

import itertools
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from matplotlib import figure as mpl_figure
from matplotlib import lines
from matplotlib.axes import Axes

PanelKey = str | tuple[str, str]  # a title, or (row, column)
Key = TypeVar("Key", bound=PanelKey)
Share = bool | Literal["none", "all", "row", "col"]

_MARGIN = 0.75  # inches for the numbers of the y axis
_WIDEST = 7.2  # inches of a page
_CHARACTERS = 19  # of a caption in an inch
_LEGEND_ROW = 0.22  # inches


class PanelGrid:
  """Panels in rows and columns, sized for the page of a paper.

  Args:
    keys: one per panel. Pairs (row, column) make a table, whose columns are named above
      and whose rows at the left. Titles are laid out in reading order.
    size: (width, height) of a panel in inches.
    share_x: "all", "row", "col" or False: which panels share their x axis.
    share_y: the same for the y axis.
    caption: a line or two below the figure.
    legend_rows: how many rows of a legend to leave space for.

  Attributes:
    figure: the matplotlib Figure.
    axes: {key: matplotlib Axes}.
    rows: how many rows of panels there are.
    columns: how many columns.
  """

  def __init__(
    self,
    keys: Iterable[PanelKey],
    *,
    size: tuple[float, float],
    share_x: Share = False,
    share_y: Share = False,
    caption: str = "",
    legend_rows: int = 1,
  ) -> None:
    keys, self._size = list(keys), size
    self.rows, self.columns, places = _places(keys, size[0])
    width = size[0] * self.columns + _MARGIN
    lines_below = len(_wrapped(caption, width)) if caption else 0
    height = size[1] * self.rows + 0.35 + 0.14 * lines_below
    self.figure = mpl_figure.Figure(
      figsize=(width, height + _LEGEND_ROW * legend_rows), layout="constrained"
    )
    grid = self.figure.subplots(
      self.rows, self.columns, sharex=share_x, sharey=share_y, squeeze=False
    )
    self.axes = {key: grid[place] for key, place in zip(keys, places, strict=True)}
    self._places = dict(zip(keys, places, strict=True))
    self._name_panels()
    for place in itertools.product(range(self.rows), range(self.columns)):
      if place not in places:
        grid[place].remove()
    for axis in self.lowest:
      axis.tick_params(labelbottom=True)  # also if it shares an axis with a lower row
    if caption:
      add_caption(self.figure, caption)

  @property
  def lowest(self) -> list[Axes]:
    """Axes that have no panel below them."""
    taken = set(self._places.values())
    return [
      self.axes[key]
      for key, (row, column) in self._places.items()
      if (row + 1, column) not in taken
    ]

  @property
  def leftmost(self) -> list[Axes]:
    """Axes of the first column."""
    return [self.axes[key] for key, (_, column) in self._places.items() if column == 0]

  def note(self, notes: Mapping[Key, str]) -> None:
    """Write small texts {key: text} above the right end of the panels."""
    for key, text in notes.items():
      self.axes[key].annotate(
        text, (1, 1), xytext=(0, 1), xycoords="axes fraction",
        textcoords="offset points", ha="right", va="bottom", fontsize=5.5,
        color="#444444", parse_math=False,
      )  # fmt: skip

  def legend(self, styles: Mapping[str, Mapping[str, Any]]) -> None:
    """Draw a legend above the panels: {label: arguments of `Line2D`}."""
    handles = [
      lines.Line2D([], [], label=name, **style) for name, style in styles.items()
    ]
    if handles:
      self.figure.legend(
        handles=handles,
        loc="outside upper center",
        ncols=legend_columns(styles, self.figure.get_figwidth()),
        fontsize=7,
        frameon=False,
        handlelength=1.6,
        columnspacing=1.2,
      )

  def _name_panels(self) -> None:
    for key, (row, column) in self._places.items():
      axis = self.axes[key]
      axis.tick_params(labelsize=7)
      axis.spines[["top", "right"]].set_visible(False)
      if not isinstance(key, tuple):
        axis.set_title(key, fontsize=8, pad=8, parse_math=False)
        continue
      if row == 0:
        above = _folded(key[1], self._size[0])
        axis.set_title(above, fontsize=8, pad=8, parse_math=False)
      if column == 0:
        beside = _folded(key[0], self._size[1])
        axis.set_ylabel(beside, fontsize=8, parse_math=False)


def add_caption(figure: mpl_figure.Figure, caption: str) -> None:
  """Write a caption below everything else, in lines that fit the figure."""
  wrapped = "\n".join(_wrapped(caption, figure.get_figwidth()))
  figure.supxlabel(
    wrapped, x=0.01, ha="left", fontsize=6.5, color="#444444", parse_math=False
  )


def legend_columns(names: Collection[str], width: float) -> int:
  """How many labels of a legend fit side by side into `width` inches."""
  widest = max(len(name) for name in names) * 0.055 + 0.38
  return max(1, min(len(names), int(width / widest)))


def _folded(name: str, inches: float) -> str:
  """A name in lines of whole words that fit beside or above a panel."""
  return textwrap.fill(name, max(6, int(14.5 * inches)), break_long_words=False)


def _wrapped(caption: str, width: float) -> list[str]:
  return textwrap.wrap(caption, max(20, int(_CHARACTERS * width)))


def _places(
  keys: Sequence[PanelKey], width: float
) -> tuple[int, int, list[tuple[int, int]]]:
  """(rows, columns, [(row, column) of each key])."""
  if all(isinstance(key, tuple) for key in keys):
    rows = list(dict.fromkeys(row for row, _ in keys))
    columns = list(dict.fromkeys(column for _, column in keys))
    places = [(rows.index(row), columns.index(column)) for row, column in keys]
    return len(rows), len(columns), places
  most = max(1, int((_WIDEST - _MARGIN) / width))
  rows = -(-len(keys) // most)
  columns = -(-len(keys) // rows)  # rows of about the same length
  return rows, columns, [divmod(place, columns) for place in range(len(keys))]
