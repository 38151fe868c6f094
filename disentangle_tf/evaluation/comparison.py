"""Scores of several models in one table."""

import csv
import html
import io
import os
import re
import statistics

from disentangle_tf import plots
from disentangle_tf.markdown import markdown_table
from disentangle_tf.output_files import write_text

# All others are better when they are higher. Counts, and what was measured on the very
# points that were fitted, say nothing by themselves.
_LOWER_IS_BETTER = re.compile(
  r".*(total_correlation|wasserstein_correlation(_norm)?|mutual_information"
  r"|reconstruction_error|kl|fairness.*|generalisation_gap.*)"
)
_NO_DIRECTION = re.compile(
  r".*active_(latents|units)|.*hoyer|.*(train_accuracy|_train)"
)
_WIDTH = 100  # characters of a terminal
_BEST, _HIGHER, _LOWER = "*", "↑", "↓"


def direction(score):
  """An arrow for the way in which a score is better, or nothing if there is none."""
  if _NO_DIRECTION.fullmatch(score):
    return ""
  return _LOWER if _LOWER_IS_BETTER.fullmatch(score) else _HIGHER


class Comparison:
  """A table with a row for each model, or for each model's seeds.

  Args:
    results: {path: the content of scores.json, or the text of what went wrong}.
    manifests: {path: manifest} of those that have one.
  """

  def __init__(self, results, manifests=None):
    self.groups = _group(results, manifests or {})
    self.rows = {n: _summarise(results, paths) for n, paths in self.groups.items()}
    self.failures = {p: r for p, r in results.items() if isinstance(r, str)}
    self.columns = list(
      dict.fromkeys(score for row in self.rows.values() for score in row)
    )
    self.best = {column: self._best(column) for column in self.columns}

  def write(self, directory, folders):
    """Writes comparison.txt, .csv, .md and .html; `folders` has each model's report."""
    write_text(directory / "comparison.html", self.to_html(folders))
    write_text(directory / "comparison.txt", self.to_text() + "\n")
    write_text(directory / "comparison.csv", self.to_csv())
    write_text(directory / "comparison.md", self.to_markdown() + "\n")

  def to_text(self):
    """For a terminal: as many columns side by side as fit."""
    width = max((len(name) for name in self.rows), default=0)
    heads = {column: f"{column} {direction(column)}".strip() for column in self.columns}
    cells = {column: max(len(heads[column]), 15) for column in self.columns}
    lines = []
    for block in _folded(cells, _WIDTH - width):
      lines.append(" " * width + "".join(f"  {heads[c]:>{cells[c]}}" for c in block))
      for name in self.rows:
        shown = (f"  {self._cell(name, c, _BEST):>{cells[c]}}" for c in block)
        lines.append(f"{name:{width}}{''.join(shown)}")
      lines.append("")
    lines += [f"{path}: {error}" for path, error in self.failures.items()]
    if any(self.best.values()):
      lines.append(f"{_BEST} best of its column; {_HIGHER} higher, {_LOWER} lower is")
      lines[-1] += " better"
    return "\n".join(lines).strip("\n")

  def to_markdown(self):
    """For a document: the best of each column is bold."""
    heads = [f"{column} {direction(column)}".strip() for column in self.columns]
    rows = [
      [name, *(self._cell(name, column, "**") for column in self.columns)]
      for name in self.rows
    ]
    lines = [markdown_table(["model", *heads], rows)]
    lines += [f"\n{path}: {error}" for path, error in self.failures.items()]
    return "\n".join(lines)

  def to_html(self, folders):
    """For a browser: models link to their reports in `folders` {path: name}."""
    head = "".join(f"<th>{html.escape(c)} {direction(c)}</th>" for c in self.columns)
    lines = [f"<tr><th></th>{head}</tr>"]
    for name in self.rows:
      reports = [_link(path, folders[path]) for path in self.groups[name]]
      cells = "".join(
        f'<td class="{"best" if name in self.best[column] else "other"}">'
        f"{html.escape(self._cell(name, column, ''))}</td>"
        for column in self.columns
      )
      lines.append(f"<tr><td>{'<br>'.join(reports)}</td>{cells}</tr>")
    table = f'<div style="overflow-x: auto"><table>{"".join(lines)}</table></div>'
    failed = {str(path): error for path, error in self.failures.items()}
    return plots.html_report(
      title="Comparison",
      introduction="The best of each column is bold; several seeds are mean ± standard "
      "deviation (n - 1). Each model links to its report.",
      parts=[table, *([plots.facts_part("Not scored", "", failed)] if failed else [])],
    )

  def to_csv(self):
    """For a program: means, and deviations where there are several seeds."""
    stream = io.StringIO()
    several = any(row[c][2] > 1 for row in self.rows.values() for c in row)
    columns = [
      name for c in self.columns for name in ((c, f"{c}_sd") if several else (c,))
    ]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["model", "seeds", *columns, "error"])
    for name, row in self.rows.items():
      values = []
      for column in self.columns:
        mean, deviation, _ = row.get(column, ("", "", 0))
        values += [mean, "" if deviation is None else deviation][: 1 + several]
      seeds = max((count for _, _, count in row.values()), default=0)
      writer.writerow([name, seeds, *values, ""])
    for path, error in self.failures.items():
      writer.writerow([path, 0, *[""] * len(columns), error])
    return stream.getvalue()

  def _cell(self, name, column, mark):
    if column not in self.rows[name]:
      return "-"
    mean, deviation, count = self.rows[name][column]
    text = f"{mean:.3f}" if count == 1 else f"{mean:.3f} ± {deviation:.3f}"
    if name not in self.best[column]:
      return text
    return f"{mark}{text}{mark}" if mark == "**" else f"{text}{mark}"

  def _best(self, column):
    """Names of the rows with the best mean, if there is a best and a worse one."""
    means = {n: row[column][0] for n, row in self.rows.items() if column in row}
    if len(means) < 2 or not direction(column):
      return set()
    lower = direction(column) == _LOWER
    best = min(means.values()) if lower else max(means.values())
    # What looks the same is as good.
    chosen = {name for name, mean in means.items() if f"{mean:.3f}" == f"{best:.3f}"}
    return chosen if len(chosen) < len(means) else set()


def _folded(widths, room):
  """The columns {name: width} in lists that fit into `room` side by side."""
  blocks, used = [], room
  for column, width in widths.items():
    if used + width + 2 > room:
      blocks.append([])
      used = 0
    blocks[-1].append(column)
    used += width + 2
  return blocks


def _link(path, folder):
  page = html.escape(f"{folder}/report.html")
  return f'<a href="{page}">{html.escape(str(path))}</a>'


def _summarise(results, paths):
  """{score: (mean, deviation or None, how many)} over the seeds of one model."""
  row = {}
  for score in dict.fromkeys(s for path in paths for s in results[path]["scores"]):
    values = [
      results[path]["scores"][score]
      for path in paths
      if score in results[path]["scores"]
    ]
    deviation = statistics.stdev(values) if len(values) > 1 else None
    row[score] = (statistics.fmean(values), deviation, len(values))
  return row


def _group(results, manifests):
  """{name: paths}: what differs only in its seed belongs together."""
  groups = {}
  for path, result in results.items():
    if not isinstance(result, str):
      groups.setdefault(_family(path, manifests.get(path)), []).append(path)
  return {_common_name(paths): paths for paths in groups.values()}


def _family(path, manifest):
  """The same for all seeds of a model: its configuration, or its path."""
  if manifest and manifest.get("config"):
    lines = manifest["config"].splitlines()
    kept = (line for line in lines if not re.search(r"\bseed\b", line, re.IGNORECASE))
    return "\n".join(kept), str(manifest["data"]), manifest["step"]
  return re.sub(r"seed[_=-]?\d+", "seed_*", str(path))


def _common_name(paths):
  """One name for several paths, with * for the parts that differ."""
  split = [str(path).split(os.sep) for path in paths]
  if len({len(parts) for parts in split}) > 1:
    return f"{paths[0]} and {len(paths) - 1} more"
  columns = zip(*split, strict=True)
  return os.sep.join(
    parts[0] if len(set(parts)) == 1 else _starred(parts) for parts in columns
  )


def _starred(parts):
  start, end = os.path.commonprefix(parts), ""
  rest = [part[len(start) :] for part in parts]
  end = os.path.commonprefix([part[::-1] for part in rest])[::-1]
  return f"{start}*{end}"
