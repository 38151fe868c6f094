"""Scores as an array [scores, data sets, settings, seeds]."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.seed_median import seed_median
from disentangle_tf.studies.model_scores import MODEL_COLUMNS, score_values
from disentangle_tf.studies.paper_names import in_paper_order

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
