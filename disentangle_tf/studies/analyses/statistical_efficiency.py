"""Do disentangled codes need fewer labels: figures 13, 14 of Locatello et al. 2019."""

import numpy as np

from disentangle_tf.studies.analyses.points_by_method import points_by_method
from disentangle_tf.studies.paper_names import METRICS, in_paper_order


def statistical_efficiency(
  table, *, scores=tuple(METRICS), boosting=False, labels=(100, 10_000)
):
  """Accuracy after few labels over that after many, against each metric.

  Args:
    table: `ResultsTable` of one step per model, with the two accuracies; the ratio is
      computed from them.
    scores: names of the metrics.
    boosting: of gradient boosted trees (figure 14), or else of logistic regression
      (figure 13).
    labels: how many few and many are: 100 and 10,000 in the paper.

  Returns:
    {(data set, score): {method: [models, 2] of (score, efficiency)}}. A model whose
    accuracy after many labels is 0 has no efficiency, and no point.
  """
  end = "_gradient_boosting" if boosting else ""
  few, many = (f"accuracy_{count}{end}" for count in labels)
  wide = table.pivot([*scores, few, many])
  panels = {}
  for data in in_paper_order(set(wide.data.tolist())):
    models = wide.of_data(data)
    ratio = models.column(few) / np.ma.masked_less_equal(models.column(many), 0.0)
    for score in scores:
      panels[data, score] = points_by_method(models, models.column(score), ratio)
  return panels
