"""Can unsupervised scores select a model: figure 9 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.score_correlations import score_correlations
from disentangle_tf.studies.paper_names import METRICS, UNSUPERVISED

if TYPE_CHECKING:
  import pandas as pd


def unsupervised_scores(
  table: pd.DataFrame,
  *,
  unsupervised: Sequence[str] = tuple(UNSUPERVISED),
  scores: Sequence[str] = tuple(METRICS),
  resamples: int = 1_000,
  rng: int | np.random.Generator = 0,
) -> dict[str, MatrixPanel]:
  """Spearman's correlation over models of unsupervised scores with the metrics.

  The signs are those of the scores as they are: a reconstruction error is better when
  it is lower, an ELBO when it is higher.

  Args:
    unsupervised: names of the rows' scores.
    scores: names of the columns' scores.
    table, resamples, rng: see `score_correlations`, whose result is returned.
  """
  return score_correlations(table, unsupervised, scores, resamples=resamples, rng=rng)
