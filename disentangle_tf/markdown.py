"""Tables in Markdown."""

from collections.abc import Iterable, Sequence


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
  """Format a Markdown table of text cells: the column names, then the rows."""
  lines = [columns, *rows]
  head, *body = [f"| {' | '.join(cells)} |" for cells in lines]
  return "\n".join([head, "|---" * len(columns) + "|", *body])
