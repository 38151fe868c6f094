"""Pairs of scores as points, one group per method."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.paper_names import in_paper_order

if TYPE_CHECKING:
  import pandas as pd


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
