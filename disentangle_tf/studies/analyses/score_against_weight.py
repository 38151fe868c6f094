"""Scores against the weight of a regulariser: Zietlow et al. 2021, figure 5."""

import numpy as np

from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.swept_value import swept_value
from disentangle_tf.studies.paper_names import in_paper_order


def score_against_weight(table, *, scores, weights=None):
  """Mean and standard deviation of each score at each weight, one curve per data set.

  Args:
    table: `ResultsTable` of one step per model.
    scores: names.
    weights: {method: (name of its swept setting, the value that counts as 1)}, so that
      methods share an axis; others are left out. None: all methods, by strength.

  Returns:
    {(method, score): {data set: `Curve`}}, x the scaled weights in ascending order, low
    and high one standard deviation (of n - 1) off the mean.
  """
  wide = table.pivot(scores)
  methods = [m for m in set(wide.method.tolist()) if weights is None or m in weights]
  data = in_paper_order(set(wide.data.tolist()))
  panels = {}
  for method in in_paper_order(methods):
    of_method = wide.where(wide.method == method)
    for score in scores:
      models, values = of_method.with_score(score)
      places = _scaled(models, None if weights is None else weights[method])
      panels[method, score] = {
        name: _curve(places[models.data == name], values[models.data == name])
        for name in data
      }
  return panels


def _scaled(models, weight):
  """[models] of the x axis."""
  if weight is None:
    return models.strength.astype(float)
  name, unit = weight
  found = [swept_value(text, name) for text in models.setting.tolist()]
  return np.array(found, float) / unit


def _curve(places, values):
  x = np.unique(places)
  groups = [values[places == place] for place in x]
  means = np.array([group.mean() for group in groups], float)
  deviations = np.array(
    [group.std(ddof=1) if len(group) > 1 else 0.0 for group in groups], float
  )
  return Curve(
    x=x,
    y=means,
    counts=np.array([len(group) for group in groups], int),
    low=means - deviations,
    high=means + deviations,
  )
