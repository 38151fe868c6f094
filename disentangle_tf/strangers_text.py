"""Escapes a stranger's text for where it goes: a line, a CSV, Markdown, a page.

Names of files, tensors, signatures and arguments, a model's last words, whatever stands
in a manifest: all of it comes this way before anybody sees it.
"""

import html
import re

_FORMULAS = ("=", "+", "-", "@")  # what makes a spreadsheet compute a cell
_MARKDOWN = re.compile(r"[\\`*\[\]<>|&~#!@$]|(?<=:)/|(?<=www)\.", re.IGNORECASE)


def printable(text: object, *, longest: int = 200) -> str:
  """One line of letters, digits and ASCII signs, for terminals, logs and errors.

  White space becomes a blank. All else is written as an escape, so that nothing moves
  the cursor, turns the direction of writing, or cannot be encoded.
  """
  whole = str(text)
  shown = "".join(map(_escaped, " ".join(whole[: 2 * longest].split())))
  if len(shown) <= longest and len(whole) <= 2 * longest:
    return shown
  return shown[: longest - 3] + "..."


def csv_cell(text: object, *, longest: int = 2_000) -> str:
  """The same for a cell of a CSV file, which a spreadsheet takes for text."""
  shown = printable(text, longest=longest)
  return f"'{shown}" if shown.startswith(_FORMULAS) else shown


def markdown_text(text: object, *, longest: int = 500) -> str:
  """The same for Markdown: no link, no HTML, no end of a cell."""
  return _MARKDOWN.sub(r"\\\g<0>", printable(text, longest=longest))


def html_text(text: object, *, longest: int = 500) -> str:
  """The same for a page, or an attribute in quotes."""
  return html.escape(printable(text, longest=longest))


def _escaped(character: str) -> str:
  plain = character.isalnum() or (character.isascii() and character.isprintable())
  return character if plain else ascii(character)[1:-1]
