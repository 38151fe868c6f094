"""Do metrics predict downstream accuracy: figure 12 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.score_correlations import score_correlations
from disentangle_tf.studies.paper_names import BOOSTING, EFFICIENCY, LOGISTIC, METRICS

if TYPE_CHECKING:
  import pandas as pd

DOWNSTREAM = (*LOGISTIC, *BOOSTING, *EFFICIENCY)


def downstream_agreement(
  table: pd.DataFrame,
  *,
  scores: Sequence[str] = tuple(METRICS),
  downstream: Sequence[str] = DOWNSTREAM,
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation over models of the metrics with downstream accuracies.

  Args:
    scores: names of the rows' scores.
    downstream: names of the columns' scores: accuracies of both predictors at 10, 100,
      1,000 and 10,000 labels as in the paper, and both efficiencies.
    table, resamples, rng: see `score_correlations`, whose result is returned.
  """
  return score_correlations(table, scores, downstream, resamples=resamples, rng=rng)
