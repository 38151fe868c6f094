"""Do the disentanglement metrics agree: figure 6 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.score_correlations import score_correlations
from disentangle_tf.studies.paper_names import METRICS

if TYPE_CHECKING:
  import pandas as pd


def metric_agreement(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation over models between the metrics, on each data set.

  Arguments and result are those of `score_correlations`, with the same scores in rows
  and columns: symmetric, and 1 on the diagonal of every score that varies.
  """
  return score_correlations(table, scores, scores, resamples=resamples, rng=rng)
