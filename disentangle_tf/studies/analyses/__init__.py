"""Analyses of a study's results table: no files, no TensorFlow.

Each is a function of the results table, a pandas frame, that gives plain arrays, with
the names of rows and columns and the number of models.
"""

from disentangle_tf.studies.analyses.claims import Contrast, seed_contrast, verdict
from disentangle_tf.studies.analyses.correlations import (
  rank_correlation,
  score_correlations,
)
from disentangle_tf.studies.analyses.distributions import (
  Distribution,
  quartiles,
  score_distributions,
  score_summary,
)
from disentangle_tf.studies.analyses.fits import (
  FittedScores,
  PolynomialFit,
  polynomial_fit,
  score_fit,
)
from disentangle_tf.studies.analyses.grids import (
  score_against_method,
  score_against_strength,
)
from disentangle_tf.studies.analyses.intervals import (
  mean_intervals,
  swept_value,
  t_interval,
)
from disentangle_tf.studies.analyses.panels import Curve, MatrixPanel
from disentangle_tf.studies.analyses.trade_offs import (
  models_at_least,
  score_against_weight,
  trade_off,
)

__all__ = [
  "Contrast",
  "Curve",
  "Distribution",
  "FittedScores",
  "MatrixPanel",
  "PolynomialFit",
  "mean_intervals",
  "models_at_least",
  "polynomial_fit",
  "quartiles",
  "rank_correlation",
  "score_against_method",
  "score_against_strength",
  "score_against_weight",
  "score_correlations",
  "score_distributions",
  "score_fit",
  "score_summary",
  "seed_contrast",
  "swept_value",
  "t_interval",
  "trade_off",
  "verdict",
]
