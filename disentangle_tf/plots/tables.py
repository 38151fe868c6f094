"""Tables as text, Markdown and sortable HTML."""

import pathlib
import textwrap
from collections.abc import Mapping, Sequence

from markupsafe import Markup
from matplotlib import figure as mpl_figure
from matplotlib.axes import Axes

from disentangle_tf.plots.page import part_of_page
from disentangle_tf.plots.panel_grid import add_caption

_LONGEST_NAME = 15  # characters in a line of a column's name
_CHARACTER, _LINE = 0.07, 0.155  # inches of a character and of a line at this size


def table_figure(
  cells: Sequence[Sequence[str]],
  rows: Sequence[str],
  columns: Sequence[str],
  *,
  corner: str = "",
  caption: str = "",
) -> mpl_figure.Figure:
  """A table with named rows and columns and three horizontal lines.

  Args:
    cells: [rows][columns] texts; a text may have several lines.
    rows: names of the rows.
    columns: names of the columns.
    corner: text above the names of the rows.
    caption: a line or two below the table.

  Returns:
    A matplotlib Figure.

  Example:
    >>> from disentangle_tf import plots
    >>> figure = plots.table_figure([["0.1"], ["0.5"]], ["vae", "beta_vae"], ["MIG"])
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['', 'MIG', 'vae', '0.1', 'beta_vae', '0.5']
  """
  table = [[corner, *(textwrap.fill(name, _LONGEST_NAME) for name in columns)]]
  table += [[name, *line] for name, line in zip(rows, cells, strict=True)]
  widths = [
    _CHARACTER * max(len(text) for line in column for text in line.split("\n")) + 0.25
    for column in zip(*table, strict=True)
  ]
  heights = [_LINE * max(text.count("\n") + 1 for text in line) + 0.1 for line in table]
  width, height = max(sum(widths), 2.5), sum(heights)
  figure = mpl_figure.Figure(
    figsize=(width + 0.2, height + 0.3 + (0.35 if caption else 0.0)),
    layout="constrained",
  )
  axis = figure.subplots()
  axis.set_axis_off()
  axis.set(xlim=(0, sum(widths)), ylim=(height, 0))
  top = 0.0
  _rule(axis, 0, sum(widths), 1.2)
  for number, line in enumerate(table):
    middle, left = top + heights[number] / 2, 0.0
    for column, text in enumerate(line):
      first = column == 0
      axis.text(
        left + (0.05 if first else widths[column] / 2), middle, text,
        ha="left" if first else "center", va="center", fontsize=8, parse_math=False,
        fontweight="bold" if number == 0 else "normal",
      )  # fmt: skip
      left += widths[column]
    top += heights[number]
    if number in (0, len(table) - 1):
      _rule(axis, top, left, 0.6 if number == 0 else 1.2)
  if caption:
    add_caption(figure, caption)
  return figure


def _rule(axis: Axes, height: float, width: float, weight: float) -> None:
  axis.plot([0, width], [height] * 2, color="black", linewidth=weight, clip_on=False)


SORTABLE_SCRIPT = (
  pathlib.Path(__file__).with_name("sortable_table.js").read_text(encoding="utf-8")
)
_DIGITS = 6  # of a number


def sortable_table_part(
  heading: str,
  note: str,
  columns: Mapping[str, Sequence[str] | Sequence[float | None]],
  *,
  links: Sequence[str] = (),
) -> Markup:
  """A table that readers sort and filter; its page needs the `SORTABLE_SCRIPT`.

  Names are sorted in the order of their first occurrence, numbers by value. Missing
  values come last.

  Args:
    heading: plain text.
    note: plain text below the heading; "" for none.
    columns: {name: values [rows]}: texts, or numbers with None where one is missing.
    links: addresses [rows] that the first column links to; "" for no link.

  Returns:
    A part of `html_report`.

  Raises:
    ValueError: a number is infinite or NaN.

  Example:
    >>> from disentangle_tf import plots
    >>> columns = {"method": ["vae", "beta_vae"], "mig": [0.25, None]}
    >>> part = plots.sortable_table_part("Runs", "", columns)
    >>> page = plots.html_report(
    ...   title="Study", introduction="", parts=[part], script=plots.SORTABLE_SCRIPT
    ... )
    >>> '"values":[0.25,null]' in page
    True
  """
  content = {
    "columns": [_column(name, values) for name, values in columns.items()],
    "links": list(links),
    "rows": len(next(iter(columns.values()))),
  }
  return part_of_page("sortable_table", heading, note, content)


def _column(
  name: str, values: Sequence[str] | Sequence[float | None]
) -> dict[str, object]:
  """A column as the script takes it: every text once, and its number in each row."""
  if any(isinstance(value, str) for value in values):
    places = {text: place for place, text in enumerate(dict.fromkeys(values))}
    codes = [places[text] for text in values]
    return {"name": name, "names": list(places), "values": codes}
  whole = all(isinstance(value, int) for value in values)
  return {"name": name, "whole": whole, "values": [_rounded(v) for v in values]}


def _rounded(value: object) -> object:
  if value is None or isinstance(value, int):
    return value
  return float(f"{value:.{_DIGITS}g}")
