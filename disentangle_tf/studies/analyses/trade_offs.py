"""Score against score, or against the weight of a loss term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.intervals import interval_curve, x_values
from disentangle_tf.studies.analyses.panels import Curve
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.titles import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


def models_at_least(
  table: pd.DataFrame, *, score: str, least: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
  """The rows of the models that have at least this score, and those of all others.

  Zietlow et al. leave out over-pruned models when they draw scores against the weight
  (figures 5 and 7 to 9): those with fewer active latents than there are factors. A
  latent is active if its mean posterior variance is below 0.8.

  Args:
    table: results table of one step per model.
    score: name, such as "active_latents_by_variance".
    least: the lowest score of a model that stays.

  Returns:
    Two results tables; models without the score are among the others.
  """
  models = pivot(table, [score])
  enough = table["run"].isin(models.loc[models[score] >= least, "run"])
  return table[enough], table[~enough]


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


def score_against_weight(
  table: pd.DataFrame,
  *,
  scores: Sequence[str],
  weights: Mapping[str, tuple[str, float]] | None = None,
) -> dict[tuple[str, str], dict[str, Curve]]:
  """Mean and standard deviation of each score at each weight, one curve per data set.

  Args:
    table: results table of one step per model.
    scores: names.
    weights: {method: (name of its swept setting, the value that counts as 1)}, so that
      methods share an axis; others are left out. None: all methods, by strength.

  Returns:
    {(method, score): {data set: `Curve`}}, x the scaled weights in ascending order, low
    and high one standard deviation (of n - 1) off the mean.
  """
  wide = pivot(table, scores)
  data = in_paper_order(wide["data"].unique())
  panels = {}
  for method, of_method in split_models(wide, "method").items():
    if weights is not None and method not in weights:
      continue
    name, unit = (None, 1) if weights is None else weights[method]
    for score in scores:
      models = of_method.dropna(subset=[score])
      places = x_values(models, name) / unit
      panels[method, score] = {
        each: interval_curve(places[chosen], models.loc[chosen, score], _deviation)
        for each in data
        for chosen in [(models["data"] == each).to_numpy()]
      }
  return panels


def _deviation(values: np.ndarray) -> tuple[float, float | None]:
  """(mean, standard deviation) of values, the latter None of a single one."""
  return values.mean(), values.std(ddof=1) if len(values) > 1 else None
