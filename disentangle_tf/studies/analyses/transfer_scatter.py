"""Scores on one data set against those on others: figure 11, Locatello et al. 2019."""

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.score_grid import ScoreGrid
from disentangle_tf.studies.paper_names import METRICS


def transfer_scatter(table, *, source, scores=tuple(METRICS)):
  """One point per setting: its median score on `source` (x) and on another set (y).

  Args:
    table: `ResultsTable` of one step per model.
    source: name of a data set; dSprites in the paper.
    scores: names.

  Returns:
    {(other data set, score): {method: [settings, 2]}}; each has the settings that both
    data sets have.
  """
  grid = ScoreGrid.of(table.pivot(scores))
  if source not in grid.data:
    raise UserError(
      f"transfer_scatter.source is {source!r}: the table has {', '.join(grid.data)}"
    )
  medians, start = grid.medians, grid.data.index(source)
  methods = np.array([method for method, _ in grid.settings])
  panels = {}
  for column, data in enumerate(grid.data):
    if column == start:
      continue
    for row, score in enumerate(scores):
      pair = np.stack([medians[row, start], medians[row, column]], axis=1)
      both = np.isfinite(pair).all(axis=1)
      panels[data, score] = {
        method: pair[both & (methods == method)]
        for method in dict.fromkeys(methods.tolist())
      }
  return panels
