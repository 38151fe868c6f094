"""What each method attains: figure 7 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.score_grid import check_places
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.paper_names import METRICS, in_paper_order

if TYPE_CHECKING:
  import pandas as pd


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
