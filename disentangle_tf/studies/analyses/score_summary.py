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
    {data set: (means, deviations)}, two `MatrixPanel` [methods, scores]; deviations
    have n - 1 in the denominator, and none of a single model.
  """
  wide = table.pivot(scores)
  methods = tuple(in_paper_order(set(wide.method.tolist())))
  panels = {}
  for data in in_paper_order(set(wide.data.tolist())):
    shape = (len(methods), len(scores))
    means, deviations = np.full(shape, np.nan), np.full(shape, np.nan)
    counts = np.zeros(shape, int)
    for place in np.ndindex(shape):
      models, values = wide.of_data(data).with_score(scores[place[1]])
      values = values[models.method == methods[place[0]]]
      counts[place] = len(values)
      if len(values):
        means[place] = values.mean()
      if len(values) > 1:
        deviations[place] = values.std(ddof=1)
    panels[data] = tuple(
      MatrixPanel(methods, tuple(scores), np.ma.masked_invalid(found), counts)
      for found in (means, deviations)
    )
  return panels
