"""Scores against the strength of regularisation: figure 8 of Locatello et al. 2019."""

import numpy as np

from disentangle_tf.studies.analyses.check_strengths import check_strengths
from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.score_grid import ScoreGrid
from disentangle_tf.studies.paper_names import METRICS


def score_against_strength(table, *, scores=tuple(METRICS)):
  """Median over seeds of each score at each strength of each method.

  Values of different methods do not compare, so the strength is the place of a setting
  in its method's sweep; it must stand for one setting, see `check_strengths`.

  Args:
    table: `ResultsTable` of one step per model.
    scores: names.

  Returns:
    {(data set, score): {method: `Curve`}}, x the strength; settings without a model are
    left out.
  """
  wide = table.pivot(scores)
  check_strengths(wide)
  grid = ScoreGrid.of(wide)
  return {
    (data, score): _curves(grid, grid.values[row, column])
    for column, data in enumerate(grid.data)
    for row, score in enumerate(scores)
  }


def _curves(grid, values):
  """{method: `Curve`} of values [settings, seeds]."""
  methods = np.array([method for method, _ in grid.settings])
  curves = {}
  for method in dict.fromkeys(methods.tolist()):
    of_method = methods == method
    pooled = {
      strength: finite(values[of_method & (grid.strengths == strength)])
      for strength in np.unique(grid.strengths[of_method]).tolist()
    }
    pooled = {strength: found for strength, found in pooled.items() if len(found)}
    curves[method] = Curve(
      x=np.array(list(pooled), float),
      y=np.array([np.median(found) for found in pooled.values()], float),
      counts=np.array([len(found) for found in pooled.values()], int),
    )
  return curves


def finite(values):
  """What is not NaN, flat."""
  return values[np.isfinite(values)]
