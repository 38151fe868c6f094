"""Means with t-intervals as a setting changes: Mathieu et al. 2019, figure 4."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.check_strengths import check_strengths
from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.swept_value import swept_value
from disentangle_tf.studies.analyses.t_interval import t_interval
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.paper_names import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


def mean_intervals(
  table: pd.DataFrame, *, scores: Sequence[str], over: str | None = None
) -> dict[tuple[str, str], dict[str, Curve]]:
  """Mean over models of each score at each value, with its 95 % t-interval.

  Args:
    table: results table of one step per model.
    scores: names.
    over: name of the swept setting of the x axis, see `swept_value`; None: the
      strength. Models that differ in anything else are pooled.

  Returns:
    {(data set, score): {method: `Curve`}}, x the values in ascending order. The
    interval of a single model is its value.
  """
  wide = pivot(table, scores)
  methods = in_paper_order(wide["method"].unique())
  panels = {}
  for data, of_data in split_models(wide, "data").items():
    for score in scores:
      models = of_data.dropna(subset=[score])
      places = x_values(models, over)
      panels[data, score] = {
        method: interval_curve(places[chosen], models.loc[chosen, score])
        for method in methods
        for chosen in [(models["method"] == method).to_numpy()]
      }
  return panels


def x_values(models: pd.DataFrame, over: str | None) -> np.ndarray:
  """[models] of the x axis: values of the setting `over`, or strengths if None."""
  if over is None:
    check_strengths(models)
    return models["strength"].to_numpy(float)
  return np.array([swept_value(text, over) for text in models["setting"]], float)


def interval_curve(
  places: np.ndarray,
  values: pd.Series,
  interval: Callable[[np.ndarray], tuple[float, float | None]] = t_interval,
) -> Curve:
  """`Curve` of means and intervals of values [models] at places [models].

  Args:
    places: [models] of the x axis.
    values: [models] of the y axis.
    interval: function of values that gives their mean, and the half width of the
      interval around it, None if unknown.
  """
  x = np.unique(places)
  groups = [values[places == place].to_numpy() for place in x]
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
