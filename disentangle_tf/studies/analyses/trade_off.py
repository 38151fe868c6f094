"""One score against another as a setting changes: Mathieu et al. 2019, figure 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.mean_intervals import interval_curve, x_values
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.paper_names import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


def trade_off(
  table: pd.DataFrame, *, x: str, y: str, over: str | None = None
) -> dict[str, dict[str, Curve]]:
  """Mean of score `y` with its 95 % t-interval against the mean of score `x`.

  One point per value of a setting, joined in the order of the values. Each mean is over
  the models that have both scores.

  Args:
    table: results table of one step per model.
    x, y: names of scores: "reconstruction_nats" and "factor_vae_eval_accuracy" in the
      paper.
    over: name of the swept setting, see `swept_value`; None: the strength.

  Returns:
    {data set: {method: `Curve`}}, its labels the values of the setting.
  """
  wide = pivot(table, [x, y]).dropna()
  methods = in_paper_order(wide["method"].unique())
  return {
    data: {
      method: _curve(models[models["method"] == method], x, y, over)
      for method in methods
    }
    for data, models in split_models(wide, "data").items()
  }


def _curve(models: pd.DataFrame, x: str, y: str, over: str | None) -> Curve:
  places = x_values(models, over)
  across, upwards = (interval_curve(places, models[score]) for score in (x, y))
  return Curve(
    x=across.y,
    y=upwards.y,
    counts=upwards.counts,
    low=upwards.low,
    high=upwards.high,
    labels=tuple(f"{value:g}" for value in upwards.x),
  )
