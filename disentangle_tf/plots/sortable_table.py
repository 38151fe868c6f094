"""A table of thousands of rows that the reader of a page sorts and filters."""

import pathlib
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from disentangle_tf.plots.html_report import part_of_page

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
