"""Every metric against every other: figure 5 of Locatello et al. 2019."""

from disentangle_tf.studies.analyses.points_by_method import points_by_method
from disentangle_tf.studies.paper_names import METRICS


def metric_scatter(table, data, *, scores=tuple(METRICS)):
  """One point per model for every two metrics, on one data set.

  Args:
    table: `ResultsTable` of one step per model.
    data: name of the data set; dSprites in the paper.
    scores: names.

  Returns:
    {(score of the y axis, score of the x axis): {method: [models, 2] of (x, y)}}; each
    has the models that have both scores.
  """
  wide = table.select(data=data).pivot(scores)
  return {
    (row, column): points_by_method(wide, wide.column(column), wide.column(row))
    for row in scores
    for column in scores
  }
