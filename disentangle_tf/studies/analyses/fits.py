"""Scores as a setting grows: fitted curves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.intervals import swept_value
from disentangle_tf.studies.model_scores import pivot, score_values, split_models
from disentangle_tf.studies.titles import MICHLO_METRICS, merit

if TYPE_CHECKING:
  import pandas as pd


@dataclasses.dataclass(frozen=True)
class PolynomialFit:
  """A fitted curve.

  Attributes:
    x, y: [places], the curve.
    low, high: [places], 95 % bootstrap band; None without resamples.
    degree: of the polynomial, lower than requested if x has too few different values.
    num_resamples: number of bootstrap resamples with enough different x to be fitted.
  """

  x: np.ndarray
  y: np.ndarray
  low: np.ndarray | None
  high: np.ndarray | None
  degree: int
  num_resamples: int


def polynomial_fit(
  x: ArrayLike,
  y: ArrayLike,
  *,
  degree: int = 4,
  num_places: int = 100,
  resamples: int = 1_000,
  rng: int | np.random.Generator = 777,
  at: ArrayLike | None = None,
) -> PolynomialFit:
  """Least squares with a bootstrap band over points: figure 9 of Michlo et al. 2023.

  Args:
    x, y: [points], finite.
    degree: of the polynomial; at most one less than there are different x.
    num_places: of the curve, evenly spaced from the smallest to the largest x.
    resamples: of the bootstrap, which draws points; 0 for none. Resamples with too few
      different x cannot be fitted and are left out.
    rng: seed or `numpy.random.Generator`; 777 in the paper's code.
    at: [places] of the curve instead of even ones.

  Returns:
    `PolynomialFit`.
  """
  x, y = np.asarray(x, float), np.asarray(y, float)
  degree = min(degree, len(np.unique(x)) - 1)
  places = np.linspace(x.min(), x.max(), num_places) if at is None else np.asarray(at)
  rng = np.random.default_rng(rng)
  drawn = rng.integers(len(x), size=(resamples, len(x)))
  curves = [
    _curve(x[each], y[each], degree, places)
    for each in drawn
    if len(np.unique(x[each])) > degree
  ]
  low, high = np.percentile(curves, [2.5, 97.5], axis=0) if curves else (None, None)
  return PolynomialFit(
    x=places,
    y=_curve(x, y, degree, places),
    low=low,
    high=high,
    degree=degree,
    num_resamples=len(curves),
  )


def _curve(x: np.ndarray, y: np.ndarray, degree: int, places: np.ndarray) -> np.ndarray:
  # Of x in [-1, 1] the equations are well conditioned.
  domain = [x.min(), x.max()] if degree else [x.min() - 1, x.max() + 1]
  return np.polynomial.Polynomial.fit(x, y, degree, domain=domain)(places)


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
