"""Total correlation of means against samples: figure 4, Locatello et al. 2019."""

import numpy as np

from disentangle_tf.studies.analyses.points_by_method import points_by_method
from disentangle_tf.studies.analyses.total_correlation_curves import MEAN, SAMPLED
from disentangle_tf.studies.paper_names import in_paper_order


def mean_against_sampled(table):
  """Logarithms of both total correlations of each model.

  Args:
    table: `ResultsTable` of one step per model.

  Returns:
    ({data set: {method: [models, 2]}} of (log sampled, log mean); how many models have
    a total correlation of 0, whose logarithm is not a number, and are left out).
  """
  wide = table.pivot([SAMPLED, MEAN]).complete()
  positive = (wide.values > 0).all(axis=1).filled(False)
  points = {}
  for data in in_paper_order(set(wide.data.tolist())):
    models = wide.where(positive & (wide.data == data))
    logarithms = np.ma.log(models.values)
    points[data] = points_by_method(models, logarithms[:, 0], logarithms[:, 1])
  return points, int((~positive).sum())
