"""Scores against the strength of regularisation: figure 8 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from disentangle_tf.studies.analyses.check_strengths import check_strengths
from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.score_grid import check_places
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.paper_names import METRICS, in_paper_order

if TYPE_CHECKING:
  import pandas as pd


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
