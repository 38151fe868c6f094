"""One score over data sets, settings and seeds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.intervals import check_strengths, seed_median
from disentangle_tf.studies.analyses.panels import Curve
from disentangle_tf.studies.model_scores import (
  MODEL_COLUMNS,
  pivot,
  score_values,
  split_models,
)
from disentangle_tf.studies.titles import METRICS, in_paper_order

if TYPE_CHECKING:
  import pandas as pd


@dataclasses.dataclass(frozen=True)
class ScoreGrid:
  """Scores by data set, setting and seed: NaN where a model is missing.

  Attributes:
    data: names of the data sets, in the papers' order.
    settings: ((method, setting), ...), methods in the papers' order, settings by their
      strength.
    strengths: [settings].
    seeds: [seeds].
    scores: names.
    values: [scores, data sets, settings, seeds].
  """

  data: tuple[str, ...]
  settings: tuple[tuple[str, str], ...]
  strengths: np.ndarray
  seeds: np.ndarray
  scores: tuple[str, ...]
  values: np.ndarray

  @classmethod
  def of(cls, models: pd.DataFrame) -> ScoreGrid:
    """The grid of a frame of `pivot`.

    Raises:
      UserError: if two models share a place.
    """
    check_places(models)
    data = in_paper_order(models["data"].unique())
    methods = in_paper_order(models["method"].unique())
    scores = tuple(models.columns[len(MODEL_COLUMNS) :])
    places = models.assign(method=models["method"].map(methods.index).astype(int))
    places = places.groupby(["method", "strength", "setting"]).ngroup().to_numpy()
    settings = models.assign(place=places).drop_duplicates("place").sort_values("place")
    seeds, seed = np.unique(models["seed"].to_numpy(), return_inverse=True)
    values = np.full((len(scores), len(data), len(settings), len(seeds)), np.nan)
    row = models["data"].map(data.index).to_numpy(int)
    values[:, row, places, seed] = score_values(models, scores).T
    return cls(
      data=tuple(data),
      settings=tuple(zip(settings["method"], settings["setting"], strict=True)),
      strengths=settings["strength"].to_numpy(int),
      seeds=seeds,
      scores=scores,
      values=values,
    )

  @property
  def medians(self) -> np.ndarray:
    """[scores, data sets, settings], NaN where no seed has the score."""
    return seed_median(self.values)

  @property
  def counts(self) -> np.ndarray:
    """[scores, data sets, settings], number of seeds that have the score."""
    return np.isfinite(self.values).sum(axis=-1)


def check_places(models: pd.DataFrame) -> None:
  """Check that no two models share data set, method, setting and seed."""
  if models.duplicated(["data", "method", "strength", "setting", "seed"]).any():
    raise UserError(
      "two runs share data set, method, setting and seed: their rows cannot be "
      "distinguished"
    )


def score_against_method(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  all_models: bool = False,
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
  """Scores of each method on each data set.

  Args:
    table: results table of one step per model.
    scores: names.
    all_models: True: one value per model, as in later versions of the paper; False: the
      median over seeds of each setting (six values for each method in the paper).

  Returns:
    {(data set, score): {method: [values], by strength and seed}}.
  """
  wide = pivot(table, scores)
  check_places(wide)
  if not all_models:
    settings = ["data", "method", "strength", "setting"]
    wide = wide.groupby(settings)[[*scores]].median().reset_index()
  methods = in_paper_order(wide["method"].unique())
  return {
    (data, score): {
      method: models.loc[models["method"] == method, score].dropna().to_numpy()
      for method in methods
    }
    for data, models in split_models(wide, "data").items()
    for score in scores
  }


def score_against_strength(
  table: pd.DataFrame, *, scores: Sequence[str] = tuple(METRICS)
) -> dict[tuple[str, str], dict[str, Curve]]:
  """Median over seeds of each score at each strength of each method.

  Values of different methods do not compare, so the strength is the place of a setting
  in its method's sweep; it must stand for one setting, see `check_strengths`.

  Args:
    table: results table of one step per model.
    scores: names.

  Returns:
    {(data set, score): {method: `Curve`}}, x the strength; settings without a model are
    left out.
  """
  wide = pivot(table, scores)
  check_strengths(wide)
  check_places(wide)
  methods = in_paper_order(wide["method"].unique())
  return {
    (data, score): {
      method: _curve(models[models["method"] == method], score) for method in methods
    }
    for data, models in split_models(wide, "data").items()
    for score in scores
  }


def _curve(models: pd.DataFrame, score: str) -> Curve:
  by_strength = models.dropna(subset=[score]).groupby("strength")[score]
  medians = by_strength.median()
  return Curve(
    x=medians.index.to_numpy(float),
    y=medians.to_numpy(float),
    counts=by_strength.size().to_numpy(int),
  )
