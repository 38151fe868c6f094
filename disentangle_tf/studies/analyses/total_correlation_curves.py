"""Total correlation against strength: figures 2, 3, 15, 16 of Locatello et al. 2019."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.score_against_strength import (
  score_against_strength,
)

if TYPE_CHECKING:
  import pandas as pd

MEAN = "gaussian_total_correlation"
SAMPLED = "sampled_gaussian_total_correlation"


def total_correlation_curves(
  table: pd.DataFrame, *, sampled: bool, without: Collection[str] = ("AnnealedVAE",)
) -> dict[str, dict[str, Curve]]:
  """Median over seeds of the total correlation, in nats, as the strength grows.

  Args:
    table: results table of one step per model.
    sampled: True: of codes sampled from the posterior (figures 2 and 15); False: of
      their means (figures 3 and 16).
    without: methods that are left out; none in figures 15 and 16.

  Returns:
    {data set: {method: `Curve`}}, x the strength 0, 1, ....
  """
  score = SAMPLED if sampled else MEAN
  kept = table[~table["method"].isin(list(without))]
  curves = score_against_strength(kept, scores=(score,))
  return {data: methods for (data, _), methods in curves.items()}
