"""Total correlation of means against samples: figure 4, Locatello et al. 2019."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.points_by_method import points_by_method
from disentangle_tf.studies.analyses.total_correlation_curves import MEAN, SAMPLED
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.paper_names import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


def mean_against_sampled(
  table: pd.DataFrame,
) -> tuple[dict[str, dict[str, np.ndarray]], int]:
  """Logarithms of both total correlations of each model.

  Args:
    table: results table of one step per model.

  Returns:
    ({data set: {method: [models, 2]}} of (log sampled, log mean); the number of models
    that are left out because a total correlation is 0, which has no logarithm).
  """
  wide = pivot(table, [SAMPLED, MEAN]).dropna()
  kept = wide[(wide[SAMPLED] > 0) & (wide[MEAN] > 0)]
  points = {}
  for data in in_paper_order(wide["data"].unique()):
    models = kept[kept["data"] == data]
    x, y = (models[score].transform(np.log) for score in (SAMPLED, MEAN))
    points[data] = points_by_method(models, x, y)
  return points, len(wide) - len(kept)
