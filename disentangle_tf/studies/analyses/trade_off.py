"""One score against another as a setting changes: Mathieu et al. 2019, figure 2."""

import numpy as np

from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.mean_intervals import interval_curve, x_values
from disentangle_tf.studies.paper_names import in_paper_order


def trade_off(table, *, x, y, over=None):
  """Mean of score `y` with its 95 % t-interval against the mean of score `x`.

  One point per value of a setting, joined in the order of the values. Each mean is over
  the models that have both scores.

  Args:
    table: `ResultsTable` of one step per model.
    x, y: names of scores: "reconstruction_nats" and "factor_vae_eval_accuracy" in the
      paper.
    over: name of the swept setting, see `swept_value`; None: the strength.

  Returns:
    {data set: {method: `Curve`}}, its labels the values of the setting.
  """
  wide = table.pivot([x, y]).complete()
  methods = in_paper_order(set(wide.method.tolist()))
  return {
    data: {
      method: _curve(wide.where((wide.data == data) & (wide.method == method)), over)
      for method in methods
    }
    for data in in_paper_order(set(wide.data.tolist()))
  }


def _curve(models, over):
  places = x_values(models, over)
  across, upwards = (interval_curve(places, v) for v in models.values.data.T)
  return Curve(
    x=across.y,
    y=upwards.y,
    counts=upwards.counts,
    low=upwards.low,
    high=upwards.high,
    labels=tuple(f"{value:g}" for value in np.asarray(upwards.x)),
  )
