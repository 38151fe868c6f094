"""Scores against the weight of a regulariser: Zietlow et al. 2021, figure 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.mean_intervals import interval_curve, x_values
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.paper_names import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


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
