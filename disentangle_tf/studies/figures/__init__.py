"""Figures and tables of a study: functions of a results table, a pandas frame.

Each gives {file name: matplotlib figure}; names that end in .md are Markdown text.
"""

from disentangle_tf.studies.figures.plot_claims import plot_claims
from disentangle_tf.studies.figures.plot_downstream import plot_downstream
from disentangle_tf.studies.figures.plot_evaluation_noise import plot_evaluation_noise
from disentangle_tf.studies.figures.plot_independent_groups import (
  plot_independent_groups,
  plot_model_groups,
)
from disentangle_tf.studies.figures.plot_mean_against_sampled import (
  plot_mean_against_sampled,
)
from disentangle_tf.studies.figures.plot_mean_intervals import plot_mean_intervals
from disentangle_tf.studies.figures.plot_metric_agreement import plot_metric_agreement
from disentangle_tf.studies.figures.plot_metric_sample_efficiency import (
  plot_metric_sample_efficiency,
)
from disentangle_tf.studies.figures.plot_score_against_method import (
  plot_score_against_method,
)
from disentangle_tf.studies.figures.plot_score_against_strength import (
  plot_score_against_strength,
)
from disentangle_tf.studies.figures.plot_score_against_weight import (
  plot_score_against_weight,
)
from disentangle_tf.studies.figures.plot_score_fit import plot_score_fit
from disentangle_tf.studies.figures.plot_score_summary import plot_score_summary
from disentangle_tf.studies.figures.plot_score_violins import plot_score_violins
from disentangle_tf.studies.figures.plot_total_correlation import plot_total_correlation
from disentangle_tf.studies.figures.plot_trade_off import plot_trade_off
from disentangle_tf.studies.figures.plot_transfer_between_data import (
  plot_transfer_between_data,
)
from disentangle_tf.studies.figures.plot_transfer_of_settings import (
  plot_transfer_of_settings,
)
from disentangle_tf.studies.figures.plot_unified_scores import plot_unified_scores
from disentangle_tf.studies.figures.plot_unsupervised_scores import (
  plot_unsupervised_scores,
)
from disentangle_tf.studies.figures.plot_variance_shares import plot_variance_shares

__all__ = [
  "plot_claims",
  "plot_downstream",
  "plot_evaluation_noise",
  "plot_independent_groups",
  "plot_mean_against_sampled",
  "plot_mean_intervals",
  "plot_metric_agreement",
  "plot_model_groups",
  "plot_metric_sample_efficiency",
  "plot_score_against_method",
  "plot_score_against_strength",
  "plot_score_against_weight",
  "plot_score_fit",
  "plot_score_summary",
  "plot_score_violins",
  "plot_total_correlation",
  "plot_trade_off",
  "plot_transfer_between_data",
  "plot_transfer_of_settings",
  "plot_unified_scores",
  "plot_unsupervised_scores",
  "plot_variance_shares",
]
