"""A table of the scores of several models."""

from __future__ import annotations

import csv
import html
import io
import json
import pathlib
import statistics
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from disentangle_tf.evaluation.model_names import common_name, family_of, short_names
from disentangle_tf.metrics.parts.contract import HIGHER, LOWER
from disentangle_tf.output_files import write_text
from disentangle_tf.text import (
  csv_cell,
  html_text,
  markdown_table,
  markdown_text,
  printable,
)

_WIDTH = 100  # characters of a terminal
_LONGEST_NAME = 60  # of a model, beside its scores
_LONGEST_ERROR = 2_000
_LONGEST_PATH = 20_000  # every character of one may be an escape
_BEST = "*"
_ARROWS = {HIGHER: "↑", LOWER: "↓"}


class Comparison:
  """A table with one row for each model, or for all seeds of a model.

  Models are named by the parts in which their paths differ. Names may come from foreign
  models, so each form of the table escapes them in its own way.

  Args:
    results: {path: the content of scores.json, or the text of an error}.
    pending: paths of the models that are still to be scored.

  Attributes:
    rows: {name: {score: (mean, deviation or None, number of seeds)}}.
    groups: {name: the paths of its seeds}.
    arrows: {score: an arrow in the direction that is better, "" if neither is}.
    failures: {path: text of the error}.

  Example:
    >>> from disentangle_tf import evaluation
    >>> def scores(mig):
    ...   return {"scores": {"mig": mig}, "directions": {"mig": "higher"}, "data": None}
    >>> table = evaluation.Comparison({"runs/a": scores(0.1), "runs/b": scores(0.5)})
    >>> print(table.to_markdown())
    | model | mig ↑ |
    |---|---|
    | a | 0.100 |
    | b | **0.500** |
  """

  def __init__(
    self, results: Mapping[str, dict | str], *, pending: Sequence[str] = ()
  ) -> None:
    self._short = short_names([*results, *pending])
    self._pending = len(pending)
    self.groups = self._group(results)
    self.rows = {n: _summarise(results, paths) for n, paths in self.groups.items()}
    self.failures = {p: r for p, r in results.items() if isinstance(r, str)}
    self.columns = list(
      dict.fromkeys(score for row in self.rows.values() for score in row)
    )
    self.arrows = _arrows(results, self.columns)
    self.best = {column: self._best(column) for column in self.columns}
    self._remarks = list(_remarks(results))

  def write(self, directory: pathlib.Path, folders: Mapping[str, str]) -> None:
    """Write comparison.txt, .csv, .md and .html.

    Args:
      directory: folder of these files.
      folders: {path of a model: name of the folder with its report}.
    """
    write_text(directory / "comparison.html", self.to_html(folders))
    write_text(directory / "comparison.txt", self.to_text() + "\n")
    write_text(directory / "comparison.csv", self.to_csv())
    write_text(directory / "comparison.md", self.to_markdown() + "\n")

  def to_text(self) -> str:
    """The table for a terminal: as many columns side by side as fit."""
    names = {name: printable(name, longest=_LONGEST_NAME) for name in self.rows}
    width = max(map(len, names.values()), default=0)
    heads = {column: self._head(column) for column in self.columns}
    cells = {column: max(len(heads[column]), 15) for column in self.columns}
    lines = []
    for block in _folded(cells, _WIDTH - width):
      lines.append(" " * width + "".join(f"  {heads[c]:>{cells[c]}}" for c in block))
      for name in self.rows:
        shown = (f"  {self._cell(name, c, _BEST):>{cells[c]}}" for c in block)
        lines.append(f"{names[name]:{width}}{''.join(shown)}")
      lines.append("")
    for path, error in self.failures.items():
      lines.append(f"{printable(path)}: {printable(error, longest=_LONGEST_ERROR)}")
    if self._pending:
      lines.append(self._still_to_come())
    lines += self._remarks
    if any(self.best.values()):
      higher, lower = _ARROWS[HIGHER], _ARROWS[LOWER]
      lines.append(
        f"{_BEST} best of its column; {higher} higher, {lower} lower is better"
      )
    return "\n".join(lines).strip("\n")

  def to_markdown(self) -> str:
    """The table for a document: the best of each column is bold."""
    rows = [
      [markdown_text(name), *(self._cell(name, c, "**") for c in self.columns)]
      for name in self.rows
    ]
    lines = [markdown_table(["model", *map(self._head, self.columns)], rows), ""]
    for path, error in self.failures.items():
      words = markdown_text(error, longest=_LONGEST_ERROR)
      lines.append(f"- {markdown_text(path)}: {words}")
    if self._pending:
      lines.append(f"\n{self._still_to_come()}")
    lines += (f"\n{remark}" for remark in self._remarks)
    return "\n".join(lines).strip("\n")

  def to_html(self, folders: Mapping[str, str]) -> str:
    """The table for a browser: models link to their reports in `folders`."""
    from disentangle_tf import plots

    heads = "".join(
      f"<th>{html.escape(column).replace('_', '_<wbr>')}&nbsp;{arrow}</th>"
      for column, arrow in self.arrows.items()
    )
    lines = [f"<thead><tr><th>model</th>{heads}</tr></thead>"]
    for name, paths in self.groups.items():
      cells = "".join(self._html_cell(name, column) for column in self.columns)
      lines.append(f"<tr><td>{_links(name, paths, folders)}</td>{cells}</tr>")
    failed = {
      printable(self._short[path], longest=_LONGEST_NAME): printable(
        error, longest=2_000
      )
      for path, error in self.failures.items()
    }
    table = f'<div class="wide"><table class="compact">{"".join(lines)}</table></div>'
    return plots.html_report(
      title="Comparison",
      introduction="The best of each column is bold; several seeds are mean ± standard "
      "deviation (n - 1). Each model links to its report. "
      + " ".join([self._still_to_come(), *self._remarks]),
      parts=[
        Markup(table),  # its texts are escaped above
        *([plots.facts_part("Not scored", "", failed)] if failed else []),
      ],
    )

  def to_csv(self) -> str:
    """The table for a program: means, and deviations where there are several seeds."""
    stream = io.StringIO()
    several = any(row[c][2] > 1 for row in self.rows.values() for c in row)
    columns = [
      name for c in self.columns for name in ((c, f"{c}_sd") if several else (c,))
    ]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["model", "path", "seeds", *columns, "error"])
    for name, row in self.rows.items():
      values = []
      for column in self.columns:
        mean, deviation, _ = row.get(column, ("", "", 0))
        values += [mean, "" if deviation is None else deviation][: 1 + several]
      path = common_name([str(path) for path in self.groups[name]])
      seeds = max((count for _, _, count in row.values()), default=0)
      writer.writerow([csv_cell(name), _path_cell(path), seeds, *values, ""])
    for path, error in self.failures.items():
      cells = [csv_cell(self._short[path]), _path_cell(path), 0, *[""] * len(columns)]
      writer.writerow([*cells, csv_cell(error)])
    return stream.getvalue()

  def _group(self, results: Mapping[str, dict | str]) -> dict[str, list[str]]:
    """{name: paths}: models that differ only in the seed are one group."""
    families = {}
    for path, result in results.items():
      if not isinstance(result, str):
        families.setdefault(family_of(path, result), []).append(path)
    groups = {}
    for paths in families.values():
      name = common_name([self._short[path] for path in paths])
      again = sum(other == name or other.startswith(f"{name} (") for other in groups)
      groups[f"{name} ({again + 1})" if again else name] = paths
    return groups

  def _head(self, column: str) -> str:
    return f"{column} {self.arrows[column]}".strip()

  def _still_to_come(self) -> str:
    return f"{self._pending} models are still to be scored." if self._pending else ""

  def _cell(self, name: str, column: str, mark: str) -> str:
    if column not in self.rows[name]:
      return "-"
    mean, deviation, count = self.rows[name][column]
    text = f"{mean:.3f}" if count == 1 else f"{mean:.3f} ± {deviation:.3f}"
    if count < len(self.groups[name]):
      text += f" ({count} of {len(self.groups[name])})"  # seeds with the score
    if name not in self.best[column]:
      return text
    return f"{mark}{text}{mark}" if mark == "**" else f"{text}{mark}"

  def _html_cell(self, name: str, column: str) -> str:
    kind = "best" if name in self.best[column] else "other"
    mean, plus_minus, deviation = self._cell(name, column, "").partition(" ±")
    spread = f"<small>±{deviation}</small>" if plus_minus else ""
    return f'<td class="{kind}">{mean} {spread}</td>'

  def _best(self, column: str) -> set[str]:
    """Names of the rows with the best mean, if there are better and worse ones."""
    means = {n: row[column][0] for n, row in self.rows.items() if column in row}
    if len(means) < 2 or not self.arrows[column]:
      return set()
    lower = self.arrows[column] == _ARROWS[LOWER]
    best = min(means.values()) if lower else max(means.values())
    # Means that are shown alike count as equal.
    chosen = {name for name, mean in means.items() if f"{mean:.3f}" == f"{best:.3f}"}
    return chosen if len(chosen) < len(means) else set()


def _arrows(results: Mapping[str, dict | str], columns: list[str]) -> dict[str, str]:
  """{column: its arrow}, from the directions that metrics state."""
  stated = {}
  for result in results.values():
    if not isinstance(result, str):
      stated = result["directions"] | stated
  return {column: _ARROWS.get(stated.get(column, ""), "") for column in columns}


def _remarks(results: Mapping[str, dict | str]) -> Iterator[str]:
  """Remarks on what the table does not show."""
  sets = {
    json.dumps(result.get("data"), sort_keys=True)
    for result in results.values()
    if not isinstance(result, str)
  }
  if len(sets) > 1:
    yield (
      f"Models were scored on {len(sets)} different data sets (see their scores.json): "
      "only rows of one data set can be compared. Set data to score all on one."
    )


def _folded(widths: Mapping[str, int], line: int) -> list[list[str]]:
  """Split columns {name: width} into lists that fit side by side into a line."""
  blocks, used = [], line
  for column, width in widths.items():
    if used + width + 2 > line:
      blocks.append([])
      used = 0
    blocks[-1].append(column)
    used += width + 2
  return blocks


def _links(name: str, paths: list[str], folders: Mapping[str, str]) -> str:
  """A row's name as a link to its report, or with one link per seed."""
  shown = html_text(name)
  if len(paths) == 1:
    return _link(paths[0], folders, shown)
  each = (_link(path, folders, str(i)) for i, path in enumerate(paths, start=1))
  return f"{shown} <small>{' '.join(each)}</small>"


def _link(path: str, folders: Mapping[str, str], shown: str) -> str:
  page = html.escape(f"{folders[path]}/report.html")
  title = html_text(path, longest=_LONGEST_PATH)
  return f'<a href="{page}" title="{title}">{shown}</a>'


def _path_cell(path: str) -> str:
  return csv_cell(path, longest=_LONGEST_PATH)


def _summarise(
  results: Mapping[str, dict | str], paths: list[str]
) -> dict[str, tuple[float, float | None, int]]:
  """{score: (mean, deviation or None, number of seeds)} of one model."""
  row = {}
  found = [r["scores"] for path in paths if not isinstance(r := results[path], str)]
  for score in dict.fromkeys(name for scores in found for name in scores):
    values = [scores[score] for scores in found if score in scores]
    deviation = statistics.stdev(values) if len(values) > 1 else None
    row[score] = (statistics.fmean(values), deviation, len(values))
  return row
