"""Do disentangled codes need fewer labels: figures 13, 14 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.points_by_method import points_by_method
from disentangle_tf.studies.model_scores import pivot, split_models
from disentangle_tf.studies.paper_names import METRICS

if TYPE_CHECKING:
  import pandas as pd


def statistical_efficiency(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  boosting: bool = False,
  labels: tuple[int, int] = (100, 10_000),
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
  """Accuracy after few labels over that after many, against each metric.

  Args:
    table: results table of one step per model, with the two accuracies; the ratio is
      computed from them.
    scores: names of the metrics.
    boosting: True: accuracies of gradient boosted trees (figure 14); False: of logistic
      regression (figure 13).
    labels: the small and the large number of labels: 100 and 10,000 in the paper.

  Returns:
    {(data set, score): {method: [models, 2] of (score, efficiency)}}. A model whose
    accuracy after many labels is 0 has no efficiency, and no point.
  """
  end = "_gradient_boosting" if boosting else ""
  few, many = (f"accuracy_{count}{end}" for count in labels)
  wide = pivot(table, [*scores, few, many])
  panels = {}
  for data, models in split_models(wide, "data").items():
    ratio = models[few] / models[many].where(models[many] > 0)
    for score in scores:
      panels[data, score] = points_by_method(models, models[score], ratio)
  return panels
