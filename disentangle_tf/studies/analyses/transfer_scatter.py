"""Scores on one data set against those on others: figure 11, Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.errors import UserError
from disentangle_tf.studies.analyses.score_grid import ScoreGrid
from disentangle_tf.studies.model_scores import pivot
from disentangle_tf.studies.paper_names import METRICS

if TYPE_CHECKING:
  import pandas as pd


def transfer_scatter(
  table: pd.DataFrame, *, source: str, scores: Sequence[str] = tuple(METRICS)
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
  """One point per setting: its median score on `source` (x) and on another set (y).

  Args:
    table: results table of one step per model.
    source: name of a data set; dSprites in the paper.
    scores: names.

  Returns:
    {(other data set, score): {method: [settings, 2]}}; each has the settings that both
    data sets have.
  """
  grid = ScoreGrid.of(pivot(table, scores))
  if source not in grid.data:
    raise UserError(
      f"transfer_scatter.source is {source!r}: the table has {', '.join(grid.data)}"
    )
  medians, start = grid.medians, grid.data.index(source)
  methods = np.array([method for method, _ in grid.settings])
  panels = {}
  for column, data in enumerate(grid.data):
    if column == start:
      continue
    for row, score in enumerate(scores):
      pair = np.stack([medians[row, start], medians[row, column]], axis=1)
      both = np.isfinite(pair).all(axis=1)
      panels[data, score] = {
        method: pair[both & (methods == method)]
        for method in dict.fromkeys(methods.tolist())
      }
  return panels
