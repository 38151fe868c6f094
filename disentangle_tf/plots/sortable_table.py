"""A table of thousands of rows within a page, which its reader sorts and filters."""

import html
import json
import pathlib

from disentangle_tf.plots.html_report import heading_and_note

SORTABLE_SCRIPT = (
  pathlib.Path(__file__).with_name("sortable_table.js").read_text(encoding="utf-8")
)
_DIGITS = 6  # of a number


def sortable_table_part(heading, note, columns, *, links=()):
  """A table of which a page needs the `SORTABLE_SCRIPT`.

  Names sort in the order in which they first occur, numbers by their value, and what is
  missing comes last.

  Args:
    heading, note: plain text.
    columns: {name: [rows]} of texts, or of numbers and None where one is missing.
    links: addresses [rows] to which the first column leads; "" where there is none.
  """
  content = {
    "columns": [_column(name, values) for name, values in columns.items()],
    "links": list(links),
    "rows": len(next(iter(columns.values()))),
  }
  # Within a script nothing but "<" could end it.
  text = json.dumps(content, separators=(",", ":"), allow_nan=False)
  text = text.replace("<", "\\u003c")
  return (
    f'{heading_and_note(heading, note)}\n<div class="sortable" role="region" '
    f'aria-label="{html.escape(heading)}">\n'
    f'<script type="application/json">{text}</script>\n'
    "<noscript>This table needs JavaScript.</noscript>\n</div>"
  )


def _column(name, values):
  """A column as the script takes it; of texts, each is there once."""
  if any(isinstance(value, str) for value in values):
    places = {text: place for place, text in enumerate(dict.fromkeys(values))}
    codes = [places[text] for text in values]
    return {"name": name, "names": list(places), "values": codes}
  whole = all(isinstance(value, int) for value in values)
  numbers = [None if v is None else _rounded(v) for v in values]
  return {"name": name, "whole": whole, "values": numbers}


def _rounded(value):
  return value if isinstance(value, int) else float(f"{value:.{_DIGITS}g}")
