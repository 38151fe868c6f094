"""Every metric against every other: figure 5 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.points_by_method import points_by_method
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.paper_names import METRICS

if TYPE_CHECKING:
  import pandas as pd


def metric_scatter(
  table: pd.DataFrame, data: str, *, scores: Sequence[str] = tuple(METRICS)
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
  """One point per model for every two metrics, on one data set.

  Args:
    table: results table of one step per model.
    data: name of the data set; dSprites in the paper.
    scores: names.

  Returns:
    {(score of the y axis, score of the x axis): {method: [models, 2] of (x, y)}}; each
    has the models that have both scores.
  """
  wide = pivot(table[table["data"] == data], scores)
  return {
    (row, column): points_by_method(wide, wide[column], wide[row])
    for row in scores
    for column in scores
  }
