"""Foreign text, bounded and escaped; Markdown tables."""

import html
import re
from collections.abc import Iterable, Sequence

_FORMULAS = ("=", "+", "-", "@")  # a spreadsheet computes cells that start with these
_MARKDOWN = re.compile(r"[\\`*\[\]<>|&~#!@$]|(?<=:)/|(?<=www)\.", re.IGNORECASE)


def printable(text: object, *, longest: int = 200) -> str:
  """Reduce text to one line of letters, digits and ASCII signs, for terminals and logs.

  White space becomes a blank. All other characters are escaped, so that none moves the
  cursor, changes the direction of writing, or cannot be encoded.
  """
  whole = str(text)
  shown = "".join(map(_escaped, " ".join(whole[: 2 * longest].split())))
  if len(shown) <= longest and len(whole) <= 2 * longest:
    return shown
  return shown[: longest - 3] + "..."


def csv_cell(text: object, *, longest: int = 2_000) -> str:
  """Escape text for a cell of a CSV file; spreadsheets run no formula in it."""
  shown = printable(text, longest=longest)
  return f"'{shown}" if shown.startswith(_FORMULAS) else shown


def markdown_text(text: object, *, longest: int = 500) -> str:
  """Escape text for Markdown: it makes no link, no HTML and no end of a cell."""
  return _MARKDOWN.sub(r"\\\g<0>", printable(text, longest=longest))


def html_text(text: object, *, longest: int = 500) -> str:
  """Escape text for an HTML page or a quoted attribute."""
  return html.escape(printable(text, longest=longest))


def _escaped(character: str) -> str:
  plain = character.isalnum() or (character.isascii() and character.isprintable())
  return character if plain else ascii(character)[1:-1]


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
  """Format a Markdown table of text cells: the column names, then the rows."""
  lines = [columns, *rows]
  head, *body = [f"| {' | '.join(cells)} |" for cells in lines]
  return "\n".join([head, "|---" * len(columns) + "|", *body])
