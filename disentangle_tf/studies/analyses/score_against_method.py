"""What each method attains: figure 7 of Locatello et al. 2019."""

import numpy as np

from disentangle_tf.studies.analyses.score_grid import ScoreGrid
from disentangle_tf.studies.paper_names import METRICS


def score_against_method(table, *, scores=tuple(METRICS), all_models=False):
  """Scores of each method on each data set.

  Args:
    table: `ResultsTable` of one step per model.
    scores: names.
    all_models: every model by itself, as in later versions of the paper; or else the
      median over seeds of each setting (six values for each method in the paper).

  Returns:
    {(data set, score): {method: [values], by strength and seed}}.
  """
  grid = ScoreGrid.of(table.pivot(scores))
  values = grid.values if all_models else grid.medians[..., None]
  methods = np.array([method for method, _ in grid.settings])
  panels = {}
  for column, data in enumerate(grid.data):
    for row, score in enumerate(scores):
      panels[data, score] = {}
      for method in dict.fromkeys(methods.tolist()):
        found = values[row, column, methods == method]
        panels[data, score][method] = found[np.isfinite(found)]
  return panels
