"""Tables in Markdown."""

from collections.abc import Iterable, Sequence


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
  """A Markdown table of text: the names of its columns, then rows of as many cells."""
  lines = [columns, *rows]
  head, *body = [f"| {' | '.join(cells)} |" for cells in lines]
  return "\n".join([head, "|---" * len(columns) + "|", *body])
