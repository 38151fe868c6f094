"""Mean and standard deviation of scores: Zietlow et al. 2021, tables 1 and 3 to 5."""

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.paper_names import METRICS, in_paper_order


def score_summary(table, *, scores=tuple(METRICS)):
  """Mean and standard deviation over all models of a method on a data set.

  Args:
    table: `ResultsTable` of one step per model. Settings are pooled: select one of them
      first.
    scores: names.

  Returns:
    {score: (means, deviations)}, two `MatrixPanel` [methods, data sets]; deviations
    have n - 1 in the denominator, and none of a single model.
  """
  wide = table.pivot(scores)
  methods = tuple(in_paper_order(set(wide.method.tolist())))
  data = tuple(in_paper_order(set(wide.data.tolist())))
  return {
    score: _panels(*wide.with_score(score), methods=methods, data=data)
    for score in scores
  }


def _panels(models, values, *, methods, data):
  """(means, deviations) of values [models] of one score."""
  shape = (len(methods), len(data))
  means, deviations = np.full(shape, np.nan), np.full(shape, np.nan)
  counts = np.zeros(shape, int)
  for row, column in np.ndindex(shape):
    chosen = (models.method == methods[row]) & (models.data == data[column])
    found = values[chosen]
    counts[row, column] = len(found)
    if len(found):
      means[row, column] = found.mean()
    if len(found) > 1:
      deviations[row, column] = found.std(ddof=1)
  return tuple(
    MatrixPanel(methods, data, np.ma.masked_invalid(cells), counts)
    for cells in (means, deviations)
  )
