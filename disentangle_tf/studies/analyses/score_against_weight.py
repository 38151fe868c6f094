"""Scores against the weight of a regulariser: Zietlow et al. 2021, figure 5."""

from disentangle_tf.studies.analyses.mean_intervals import interval_curve, x_values
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
        name: interval_curve(places[chosen], values[chosen], _deviation)
        for name in data
        for chosen in [models.data == name]
      }
  return panels


def _scaled(models, weight):
  """[models] of the x axis."""
  name, unit = (None, 1) if weight is None else weight
  return x_values(models, name) / unit


def _deviation(values):
  """(mean, standard deviation) of values, the latter None of a single one."""
  return values.mean(), values.std(ddof=1) if len(values) > 1 else None
