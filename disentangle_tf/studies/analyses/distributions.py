"""Quartiles, means and points of scores by method."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.panels import MatrixPanel
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.titles import METRICS, MICHLO_METRICS, in_paper_order

if TYPE_CHECKING:
  import pandas as pd

  _Labels = str | Callable[[pd.DataFrame], Sequence[str] | np.ndarray]


def points_by_method(
  models: pd.DataFrame, x: pd.Series, y: pd.Series
) -> dict[str, np.ndarray]:
  """Points of the models that have both values.

  Args:
    models: frame of `pivot`.
    x, y: [models], NaN where a value is missing.

  Returns:
    {method: [models, 2]}, in the order of the models.
  """
  points = np.stack([x.to_numpy(), y.to_numpy()], axis=1)
  both = np.isfinite(points).all(axis=1)
  return {
    method: points[both & (models["method"] == method).to_numpy()]
    for method in in_paper_order(models["method"].unique())
  }


_COLUMNS = ("data", "method", "setting")


@dataclasses.dataclass(frozen=True)
class Distribution:
  """Scores of some models.

  Attributes:
    values: [models], in the canonical order of models; never empty.
    quartiles: [3], by NumPy's linear rule.
  """

  values: np.ndarray
  quartiles: np.ndarray


def score_distributions(
  table: pd.DataFrame,
  *,
  by: _Labels,
  halves: _Labels,
  scores: Sequence[str] = tuple(MICHLO_METRICS),
) -> dict[str, dict[str, dict[str, Distribution]]]:
  """Scores of all models that share a place on the x axis and a half of the violin.

  All else is pooled: figure 6 pools strengths of regularisation and numbers of latents,
  figure 11 both betas and all repeats. Their scores are the best of training:
  `one_step(table, "best")`.

  Args:
    table: results table of one step per model.
    by: column of the x axis: "data" in figure 6, "method" in figure 11; or a function
      of the frame of `pivot` that gives [models] text.
    halves: column of the halves: "method" in figure 6; or a function, such as one that
      tells losses apart.
    scores: names.

  Returns:
    {score: {place: {half: `Distribution`}}}, halves in alphabetical order; a half
    without a model is left out.
  """
  wide = pivot(table, scores)
  panels = {}
  for score in scores:
    models = wide.dropna(subset=[score])
    places: dict[str, dict[str, Distribution]] = {}
    groups = models[score].groupby([_labels(models, by), _labels(models, halves)])
    for (place, half), group in groups:
      values = group.to_numpy()
      halves_there = places.setdefault(str(place), {})
      halves_there[str(half)] = Distribution(values, quartiles(values))
    panels[score] = {place: places[place] for place in in_paper_order(places)}
  return panels


def quartiles(values: np.ndarray) -> np.ndarray:
  """The three quartiles of values [models], by NumPy's linear rule: [3]."""
  return np.percentile(values, [25, 50, 75])


def _labels(models: pd.DataFrame, column: _Labels) -> np.ndarray:
  if callable(column):
    return np.asarray(column(models), str)
  if column not in _COLUMNS:
    raise UserError(
      f"score_distributions: {column!r} is not one of {', '.join(_COLUMNS)}"
    )
  return models[column].to_numpy(str)


def score_summary(
  table: pd.DataFrame, *, scores: Sequence[str] = tuple(METRICS)
) -> dict[str, tuple[MatrixPanel, MatrixPanel]]:
  """Mean and standard deviation over all models of a method on a data set.

  Args:
    table: results table of one step per model. Settings are pooled: select one of them
      first.
    scores: names.

  Returns:
    {score: (means, deviations)}, two `MatrixPanel` [methods, data sets]; deviations
    have n - 1 in the denominator, and none of a single model.
  """
  wide = pivot(table, scores)
  methods = tuple(in_paper_order(wide["method"].unique()))
  data = tuple(in_paper_order(wide["data"].unique()))
  panels = {}
  for score in scores:
    groups = wide.dropna(subset=[score]).groupby(["method", "data"])[score]
    counts, means, deviations = (
      groups.agg(function)
      .unstack()
      .reindex(index=methods, columns=data)
      .to_numpy(float)
      for function in (len, _mean, _deviation)
    )
    counts = np.nan_to_num(counts).astype(int)
    panels[score] = (
      MatrixPanel(methods, data, np.ma.masked_invalid(means), counts),
      MatrixPanel(methods, data, np.ma.masked_invalid(deviations), counts),
    )
  return panels


def _mean(values: pd.Series) -> float:
  return values.to_numpy().mean()


def _deviation(values: pd.Series) -> float:
  return values.to_numpy().std(ddof=1) if len(values) > 1 else np.nan
