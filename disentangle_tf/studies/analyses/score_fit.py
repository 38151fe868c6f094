"""Scores as one setting grows, with a fitted curve: Michlo et al. 2023, figure 9."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.polynomial_fit import PolynomialFit, polynomial_fit
from disentangle_tf.studies.analyses.swept_value import swept_value
from disentangle_tf.studies.model_scores import pivot, score_values, split_models
from disentangle_tf.studies.paper_names import MICHLO_METRICS
from disentangle_tf.studies.score_direction import merit

if TYPE_CHECKING:
  import pandas as pd


@dataclasses.dataclass(frozen=True)
class FittedScores:
  """Scores of one method, and the curve through them.

  Attributes:
    points: [models, 2] of (value of the setting, score).
    fit: `PolynomialFit`.
  """

  points: np.ndarray
  fit: PolynomialFit


def score_fit(
  table: pd.DataFrame,
  *,
  over: str | Mapping[str, float],
  others: str | Mapping[str, Mapping[float, str]] = "pooled",
  scores: Sequence[str] = tuple(MICHLO_METRICS),
  degree: int = 4,
  resamples: int = 1_000,
  rng: int | np.random.Generator = 777,
) -> dict[str, dict[str, FittedScores]]:
  """Scores against one swept setting, a polynomial through them and its band.

  Args:
    table: results table of one step per model; the best of training in the paper.
    over: name of the swept setting, see `swept_value`; or {data set: its value}, if
      the data sets are the values.
    others: which of all other settings are drawn: "pooled", all models; "best", for
      each method and value the setting with the best median; or
      {method: {value: text}}, the models whose setting holds this text, such as
      "BETA=0.001": in the paper 0.001 for Ada-GVAE, and for beta-VAE 0.001 from
      spacing 3 on and 0.00316 below.
    scores: names.
    degree, resamples, rng: of the fit, see `polynomial_fit`.

  Returns:
    {score: {method: `FittedScores`}}; methods without a model are left out.
  """
  wide = pivot(table, scores)
  panels = {}
  for score in scores:
    models = wide.dropna(subset=[score])
    models = models.assign(_place=_places(models, over))
    panels[score] = {}
    chosen = models[_chosen(score, models, others)]
    for method, of_method in split_models(chosen, "method").items():
      points = score_values(of_method, ["_place", score])
      panels[score][method] = FittedScores(
        points=points,
        fit=polynomial_fit(*points.T, degree=degree, resamples=resamples, rng=rng),
      )
  return panels


def _places(models: pd.DataFrame, over: str | Mapping[str, float]) -> np.ndarray:
  """[models] of the x axis."""
  if isinstance(over, str):
    return np.array([swept_value(text, over) for text in models["setting"]], float)
  for name in models["data"].unique():
    if name not in over:
      raise UserError(f"score_fit.over has no value for the data set {name!r}")
  return np.array([over[name] for name in models["data"]], float)


def _chosen(
  score: str, models: pd.DataFrame, others: str | Mapping[str, Mapping[float, str]]
) -> np.ndarray:
  """[models] bool: those to be drawn."""
  if others == "pooled":
    return np.ones(len(models), bool)
  if others == "best":
    return _best(score, models)
  if isinstance(others, str):
    raise UserError(
      f'score_fit.others is {others!r}: it must be "pooled", "best" or '
      "{method: {value: text}}"
    )
  columns = (models[name] for name in ("method", "_place", "setting"))
  return np.array(
    [
      _holds(setting, others.get(method, {}).get(place))
      for method, place, setting in zip(*columns, strict=True)
    ],
    bool,
  )


def _holds(text: str, part: str | None) -> bool:
  """Whether `part` is one of the settings of a text: BETA=0.001, not BETA=0.0011."""
  return part is not None and part in [each.strip() for each in text.split(",")]


def _best(score: str, models: pd.DataFrame) -> np.ndarray:
  """[models] bool: for each method and place the setting with the best median."""
  places = ["method", "_place", "setting"]
  models = models.assign(_merit=merit(score, models[score])).set_index(places)
  medians = models.groupby(places)["_merit"].median()
  best = medians.groupby(places[:2]).idxmax()  # the first of equal ones
  return models.index.isin(best.tolist())
