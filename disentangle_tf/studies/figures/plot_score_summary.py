"""Mean and standard deviation of scores: Zietlow et al. 2021, tables 1 and 3 to 5."""

import numpy as np

from disentangle_tf import plots
from disentangle_tf.markdown import markdown_table
from disentangle_tf.studies.analyses import score_summary
from disentangle_tf.studies.figures.captions import caption
from disentangle_tf.studies.figures.present_scores import present_scores
from disentangle_tf.studies.paper_names import METRICS, title


def plot_score_summary(table, *, which="last", scores=tuple(METRICS)):
  """One table per data set: mean and standard deviation of each method's scores.

  Args:
    table: `ResultsTable`. Settings of a method are pooled: select one first.
    which: "last" or "best" evaluation of training.
    scores: names.

  Returns:
    {"score_summary_" and the data set: figure, ...; "score_summary.md": all of them}.
  """
  table = table.which(which)
  scores = present_scores(table, scores, "plot_score_summary")
  columns = [title(score) for score in scores]
  figures, parts = {}, []
  for data, (means, deviations) in score_summary(table, scores=scores).items():
    words = caption(
      table.select(data=data), scores, f"{title(data)}: mean ± standard deviation"
    )
    cells = [
      [_cell(means, deviations, row, column) for column in range(len(scores))]
      for row in range(len(means.rows))
    ]
    rows = [title(method) for method in means.rows]
    figures[f"score_summary_{data}"] = plots.table_figure(
      cells, rows, columns, caption=words
    )
    lines = [[name, *line] for name, line in zip(rows, cells, strict=True)]
    parts.append(f"{markdown_table(['', *columns], lines)}\n\n{words}")
  return {**figures, "score_summary.md": "\n\n".join(parts) + "\n"}


def _cell(means, deviations, row, column):
  if np.ma.getmaskarray(means.values)[row, column]:
    return "–"
  text = f"{means.values[row, column]:.2f}"
  if np.ma.getmaskarray(deviations.values)[row, column]:
    return text
  return f"{text} ± {deviations.values[row, column]:.2f}"
