"""Analyses of a study's results table: no files, no TensorFlow.

Each is a function of the results table, a pandas frame, that gives plain arrays, with
the names of rows and columns and the number of models.
"""

from disentangle_tf.studies.analyses.claims import Contrast, seed_contrast, verdict
from disentangle_tf.studies.analyses.curve import Curve
from disentangle_tf.studies.analyses.downstream_agreement import downstream_agreement
from disentangle_tf.studies.analyses.evaluation_noise import evaluation_noise
from disentangle_tf.studies.analyses.independent_groups import (
  IndependentGroups,
  independent_groups,
)
from disentangle_tf.studies.analyses.matrix_panel import MatrixPanel
from disentangle_tf.studies.analyses.mean_against_sampled import mean_against_sampled
from disentangle_tf.studies.analyses.mean_intervals import mean_intervals
from disentangle_tf.studies.analyses.metric_agreement import metric_agreement
from disentangle_tf.studies.analyses.metric_sample_efficiency import (
  metric_sample_efficiency,
)
from disentangle_tf.studies.analyses.metric_scatter import metric_scatter
from disentangle_tf.studies.analyses.models_at_least import models_at_least
from disentangle_tf.studies.analyses.polynomial_fit import PolynomialFit, polynomial_fit
from disentangle_tf.studies.analyses.rank_correlation import rank_correlation
from disentangle_tf.studies.analyses.score_against_method import score_against_method
from disentangle_tf.studies.analyses.score_against_strength import (
  score_against_strength,
)
from disentangle_tf.studies.analyses.score_against_weight import score_against_weight
from disentangle_tf.studies.analyses.score_correlations import score_correlations
from disentangle_tf.studies.analyses.score_distributions import (
  Distribution,
  quartiles,
  score_distributions,
)
from disentangle_tf.studies.analyses.score_fit import FittedScores, score_fit
from disentangle_tf.studies.analyses.score_summary import score_summary
from disentangle_tf.studies.analyses.statistical_efficiency import (
  statistical_efficiency,
)
from disentangle_tf.studies.analyses.swept_value import swept_value
from disentangle_tf.studies.analyses.t_interval import t_interval
from disentangle_tf.studies.analyses.total_correlation_curves import (
  total_correlation_curves,
)
from disentangle_tf.studies.analyses.trade_off import trade_off
from disentangle_tf.studies.analyses.transfer_between_data import transfer_between_data
from disentangle_tf.studies.analyses.transfer_of_settings import (
  SettingTransfer,
  transfer_of_settings,
)
from disentangle_tf.studies.analyses.transfer_scatter import transfer_scatter
from disentangle_tf.studies.analyses.unified_scores import unified_scores
from disentangle_tf.studies.analyses.unsupervised_scores import unsupervised_scores
from disentangle_tf.studies.analyses.variance_shares import (
  VarianceShares,
  share_of_variance,
  variance_shares,
)

__all__ = [
  "Contrast",
  "Curve",
  "Distribution",
  "FittedScores",
  "IndependentGroups",
  "MatrixPanel",
  "PolynomialFit",
  "SettingTransfer",
  "VarianceShares",
  "downstream_agreement",
  "evaluation_noise",
  "independent_groups",
  "mean_against_sampled",
  "mean_intervals",
  "metric_agreement",
  "metric_sample_efficiency",
  "metric_scatter",
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
  "share_of_variance",
  "statistical_efficiency",
  "swept_value",
  "t_interval",
  "total_correlation_curves",
  "trade_off",
  "transfer_between_data",
  "transfer_of_settings",
  "transfer_scatter",
  "unified_scores",
  "unsupervised_scores",
  "variance_shares",
  "verdict",
]
