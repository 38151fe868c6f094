"""Means with t-intervals as a setting changes: Mathieu et al. 2019, figure 4."""

import numpy as np

from disentangle_tf.studies.analyses.check_strengths import check_strengths
from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.swept_value import swept_value
from disentangle_tf.studies.analyses.t_interval import t_interval
from disentangle_tf.studies.paper_names import in_paper_order


def mean_intervals(table, *, scores, over=None):
  """Mean over models of each score at each value, with its 95 % t-interval.

  Args:
    table: `ResultsTable` of one step per model.
    scores: names.
    over: name of the swept setting of the x axis, see `swept_value`; None: the
      strength. Models that differ in anything else are pooled.

  Returns:
    {(data set, score): {method: `Curve`}}, x the values in ascending order. The
    interval of a single model is its value.
  """
  wide = table.pivot(scores)
  methods = in_paper_order(set(wide.method.tolist()))
  panels = {}
  for data in in_paper_order(set(wide.data.tolist())):
    for score in scores:
      models, values = wide.of_data(data).with_score(score)
      places = x_values(models, over)
      panels[data, score] = {
        method: interval_curve(places[chosen], values[chosen])
        for method in methods
        for chosen in [models.method == method]
      }
  return panels


def x_values(models, over):
  """[models] of the x axis: values of the setting `over`, or strengths."""
  if over is None:
    check_strengths(models)
    return models.strength.astype(float)
  return np.array([swept_value(text, over) for text in models.setting.tolist()], float)


def interval_curve(places, values, interval=t_interval):
  """`Curve` of means and intervals of values [models] at places [models].

  Args:
    interval: function of values that gives their mean and how far low and high are off
      it, None if that is not known.
  """
  x = np.unique(places)
  groups = [values[places == place] for place in x]
  found = [interval(group) for group in groups]
  means = np.array([mean for mean, _ in found], float)
  widths = np.array([width or 0.0 for _, width in found], float)
  return Curve(
    x=x,
    y=means,
    counts=np.array([len(group) for group in groups], int),
    low=means - widths,
    high=means + widths,
  )
